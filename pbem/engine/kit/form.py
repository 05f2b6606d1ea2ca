"""A decision of declared verbs as a form, and the order text that a filled-in form means."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.engine.core.forms import Choice, Form, Group, Pick, quick
from pbem.engine.core.types import Message, sentence
from pbem.engine.kit.arguments import Argument, Many, Ranking, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.engine.core.types import Order
    from pbem.engine.kit.verb import Verb

MOST_LISTED = 60
"""Legal orders that are offered as they are, one beside the other; where there are more, each argument is a field."""
ORDER, VERB = "order", "verb"
"""The names of the fields that pick a whole order, or a verb."""


def form(view: Any, kind: str, question: Message, verbs: Sequence[Verb]) -> Form:
    """Return the decision `kind` as a form of the `verbs` that are possible."""
    orders = listed(view, verbs)
    if orders:
        choices = tuple(_choice(view, verb, order) for verb, order in orders)
        group = Group(sentence("Your choice"), (Pick(ORDER, question, choices),))
        return Form(kind, question, (group,), (), quick(order for _, order in orders))
    groups = [_verb_group(verb, view) for verb in verbs if verb.arguments]
    if len(verbs) > 1:
        labels = tuple(Choice(verb.name, Message(verb.meaning)) for verb in verbs)
        groups.insert(0, Group(sentence("Your choice"), (Pick(VERB, question, labels),)))
    return Form(kind, question, tuple(groups))


def listed(view: Any, verbs: Sequence[Verb]) -> list[tuple[Verb, Order]]:
    """Return all legal orders with their verbs, if they are few enough to be offered one by one; else none."""
    if any(isinstance(one, (Many, Ranking)) for verb in verbs for one in verb.arguments):
        return []
    found = list(islice(((verb, order) for verb in verbs for order in verb.legal(view)), MOST_LISTED + 1))
    return found if len(found) <= MOST_LISTED else []


def _choice(view: Any, verb: Verb, order: Any) -> Choice:
    """One order as a choice: by its offer's own label if it has one argument, else by the verb's."""
    offers = [(one, _offer(view, one, getattr(order, one.name))) for one in verb.arguments]
    holes = {one.name: one.said(getattr(order, one.name)) for one, _ in offers}
    prices = [offer.price for _, offer in offers if offer.price is not None]
    effect = next((offer.effect for _, offer in offers if offer.effect), None)
    mark = next((offer.mark for _, offer in offers if offer.mark), "")
    return Choice(str(order), sentence(verb.label, **holes), sum(prices) if prices else None, effect, mark)


def _offer(view: Any, one: Argument, value: Any) -> Any:
    return next(offer for offer in one.offers(view) if offer.value == value)


def _verb_group(verb: Verb, view: Any) -> Group:
    fields = tuple(field for one in verb.arguments for field in one.fields(view, f"{verb.name}-{one.name}"))
    aside = all(one.optional for one in verb.arguments)
    return Group(Message(verb.meaning), fields, aside=aside)


def order_text(view: Any, verbs: Sequence[Verb], fields: Mapping[str, list[str]]) -> str:
    """Return the order that a filled-in form means. Raises InvalidOrder naming the field."""
    orders = listed(view, verbs)
    if orders:
        return one_of(fields, ORDER, [str(order) for _, order in orders])
    chosen = one_of(fields, VERB, [verb.name for verb in verbs]) if len(verbs) > 1 else verbs[0].name
    verb = next(verb for verb in verbs if verb.name == chosen)
    words = [verb.name]
    for one in verb.arguments:
        text = one.filled(view, fields, f"{verb.name}-{one.name}")
        if text:
            words += filter(None, (one.lead.partition("|")[0], text))
    return " ".join(words)
