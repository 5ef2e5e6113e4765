"""Claims: proved from the claimant's own hand and the cards played, and from nothing else."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.claim import takes_the_rest
from hearts_engine.commands import ClaimRest, Deal, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import DealScored, RestClaimed
from hearts_engine.evolve import evolve
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, deal_at_random, deck_of, position, seated

Hands = tuple[frozenset[Card], ...]


def cards_of(text: str) -> frozenset[Card]:
    return frozenset(CardSet.parse(text))


def splits(cards: frozenset[Card], size: int) -> Iterator[Hands]:
    """Every way to part these cards into hands of one size, whoever holds which."""
    if not cards:
        yield ()
        return
    first, *rest = sorted(cards)
    for chosen in combinations(rest, size - 1):
        hand = frozenset({first, *chosen})
        for others in splits(cards - hand, size):
            yield (hand, *others)


def followers(hand: frozenset[Card], lead: Card) -> frozenset[Card]:
    return frozenset(card for card in hand if card.suit is lead.suit) or hand


def can_win_every_trick(mine: frozenset[Card], others: Hands) -> bool:
    """Whether some order of leads takes every trick, whatever the others do to prevent it."""
    return not mine or any(leads_through(mine, lead, others) for lead in mine)


def leads_through(mine: frozenset[Card], lead: Card, others: Hands) -> bool:
    if any(card.suit is lead.suit and card > lead for hand in others for card in hand):
        return False
    first, second, third = others
    return all(
        can_win_every_trick(mine - {lead}, (first - {a}, second - {b}, third - {c}))
        for a in followers(first, lead)
        for b in followers(second, lead)
        for c in followers(third, lead)
    )


def holds_however_they_lie(mine: frozenset[Card], unseen: frozenset[Card]) -> bool:
    return all(can_win_every_trick(mine, others) for others in splits(unseen, len(mine)))


def test_hb_052_a_claim_holds_only_if_no_card_outstanding_could_win() -> None:
    assert takes_the_rest(CardSet.parse("AS KS"), CardSet.parse("QS 3D 4D 5H 6H 7H"))
    assert not takes_the_rest(CardSet.parse("4S 6H"), CardSet.parse("9H 3H 2C 5C 6C 7C"))


@pytest.mark.parametrize(
    ("mine", "unseen", "holds"),
    [
        ("AH 2H", "3H 4D 5D 6D 7D 8D", True),  # the only other heart falls under the ace
        ("AH 2H", "3H 4H 5D 6D 7D 8D", False),  # one seat may hold both hearts
        ("2H 3C", "4D 5D 6D 7D 8D 9D", True),  # nobody has the suits that are led
        ("AH KH 2H", "QH JH 4D 5D 6D 7D 8D 9D TD", True),
        ("AH QH 2H", "KH JH 4D 5D 6D 7D 8D 9D TD", False),
    ],
)
def test_low_cards_are_good_once_the_suit_has_run_out(
    mine: str, unseen: str, *, holds: bool
) -> None:
    assert takes_the_rest(CardSet.parse(mine), CardSet.parse(unseen)) is holds
    assert holds_however_they_lie(cards_of(mine), cards_of(unseen)) is holds


@pytest.mark.parametrize(("size", "count"), [(1, 300), (2, 300), (3, 40)])
def test_claims_hold_exactly_when_no_lie_of_the_cards_beats_them(size: int, count: int) -> None:
    chance = Random(size)
    verdicts: set[bool] = set()
    for _ in range(count):
        pack = chance.sample(PACK, k=3 * size + size)
        pack.sort(key=lambda card: card.rank + chance.randrange(8), reverse=True)
        mine, unseen = frozenset(pack[:size]), frozenset(pack[size:])
        verdict = holds_however_they_lie(mine, unseen)
        assert takes_the_rest(CardSet.of(mine), CardSet.of(unseen)) is verdict, (mine, unseen)
        verdicts.add(verdict)
    assert verdicts == {True, False}


def hands_of(*texts: str) -> list[CardSet]:
    return [CardSet.parse(text) for text in texts]


def provable() -> State:
    """Seat 1 is on lead and cannot lose a trick."""
    hands = hands_of("4D 5D", "AS AH", "2D QS", "3D 2H")
    return position(Rules(), hands, Seat(1), hearts_broken=True)


def test_a_proven_claim_takes_every_penalty_left() -> None:
    state = provable()
    events = decide(state, ClaimRest(Seat(1)))
    assert events == (RestClaimed(Seat(1)),)
    after = evolve(state, events[0])
    assert after.phase is Phase.SHOWING
    assert after.play.claimed == 1
    assert after.play.taken[1] == state.play.taken[1] + CardSet.parse("QS 2H AH")
    assert after.play.legal == NO_CARDS
    scored = next(e for e in decide(after, ShowDeal(SECRET)) if isinstance(e, DealScored))
    assert sum(scored.points) == 26


def test_a_claim_is_refused_in_the_same_words_whatever_the_others_hold() -> None:
    refusals: set[tuple[Reason, str, CardSet]] = set()
    for hands in (
        ("4D 5D", "AS QH", "2D QS", "3D AH"),  # the ace of hearts would beat the queen
        ("4D AH", "AS QH", "2D QS", "3D 5D"),
        ("KH AH", "AS QH", "2D QS", "3D 5D"),
    ):
        with pytest.raises(Rejected) as caught:
            decide(
                position(Rules(), hands_of(*hands), Seat(1), hearts_broken=True),
                ClaimRest(Seat(1)),
            )
        refusals.add((caught.value.reason, caught.value.message, caught.value.legal))
    assert {reason for reason, _, _ in refusals} == {Reason.CLAIM_NOT_PROVEN}
    assert len(refusals) == 1


def test_only_the_seat_on_lead_may_claim() -> None:
    with pytest.raises(Rejected) as caught:
        decide(provable(), ClaimRest(Seat(0)))
    assert caught.value.reason is Reason.NOT_YOUR_TURN
    led = position(
        Rules(),
        hands_of("4D 5D", "AS AH", "2D QS", "3D 2H"),
        Seat(0),
        hearts_broken=True,
        played=[Card.parse("4D")],
    )
    with pytest.raises(Rejected) as caught:
        decide(led, ClaimRest(Seat(1)))
    assert caught.value.reason is Reason.NOT_ON_LEAD


def test_nobody_claims_on_the_first_trick() -> None:
    rules = Rules(pass_cycle=(Direction.HOLD,))
    game = seated(rules)
    clubs = CardSet.of(PACK[:13])
    others = [CardSet.of(PACK[at : at + 13]) for at in (13, 26, 39)]
    game.do(Deal(deck_of([clubs, *others])))
    assert takes_the_rest(clubs, CardSet.of(PACK[13:]))
    with pytest.raises(Rejected) as caught:
        game.do(ClaimRest(Seat(0)))
    assert caught.value.reason is Reason.CLAIM_NOT_PROVEN


def test_hb_053_nobody_claims_while_cards_are_passed() -> None:
    game = seated(Rules())
    game.do(Deal(deck_of([CardSet.of(PACK[seat::4]) for seat in range(4)])))
    assert game.state.phase is Phase.PASSING
    with pytest.raises(Rejected) as caught:
        game.do(ClaimRest(Seat(1)))
    assert caught.value.reason is Reason.WRONG_PHASE


def test_a_claim_is_gone_with_its_deal() -> None:
    game = seated(Rules())
    game.state = provable()
    game.do(ClaimRest(Seat(1)))
    game.do(ShowDeal(SECRET))
    assert game.state.play.claimed == 1
    deal_at_random(game, Random(3))
    assert game.state.play.claimed is None
