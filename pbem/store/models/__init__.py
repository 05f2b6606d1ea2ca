"""Every table, by the words of the domain. A row here is the truth; what can be rebuilt says so."""

from pbem.store.models.capabilities import AddressChange, Capability
from pbem.store.models.club import MAIL_COMES_BACK, UNREACHABLE, Audit, Club, Code, Invitation, Member, Player, Pulse
from pbem.store.models.games import (
    LIVE,
    OVER,
    UNDERWAY,
    Game,
    GameState,
    OpenDecision,
    Seat,
    StoredOrder,
    StoredPly,
    StoredStandingOrders,
)
from pbem.store.models.letters import Delivery, Inbound, Lane, Letter
from pbem.store.models.seasons import (
    Hook,
    HookCall,
    Pairing,
    Rating,
    RatingStep,
    SavedView,
    Season,
    SeasonEntry,
)
from pbem.store.models.table_talk import Absence, Note, Proposal, Sitter, Talk, Vote
