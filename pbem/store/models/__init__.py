"""Every table, by the words of the domain. A row here is the truth; what can be rebuilt says so."""

from pbem.store.models.club import Audit, Club, Code, Invitation, Member, Player, Pulse
from pbem.store.models.games import Decision, Game, Order, Ply, Seat, Standing
from pbem.store.models.letters import Delivery, Inbound, Lane, Letter
from pbem.store.models.seasons import ApiToken, Entry, Hook, HookCall, Pairing, Rating, RatingStep, SavedView, Season
from pbem.store.models.table_talk import Absence, Note, Proposal, Sitter, Talk, Vote

__all__ = [
    "Absence",
    "ApiToken",
    "Audit",
    "Club",
    "Code",
    "Decision",
    "Delivery",
    "Entry",
    "Game",
    "Hook",
    "HookCall",
    "Inbound",
    "Invitation",
    "Lane",
    "Letter",
    "Member",
    "Note",
    "Order",
    "Pairing",
    "Player",
    "Ply",
    "Proposal",
    "Pulse",
    "Rating",
    "RatingStep",
    "SavedView",
    "Season",
    "Seat",
    "Sitter",
    "Standing",
    "Talk",
    "Vote",
]
