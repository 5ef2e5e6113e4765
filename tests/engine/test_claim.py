"""Claims: proved from the claimant's own hand and the cards played, and from nothing else."""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from random import Random

import pytest

from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.claim import takes_the_rest
from hearts_engine.commands import ClaimRest, Command, Deal, PlayCard, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import DealScored, Event, KittyTaken, KittyWon, RestClaimed
from hearts_engine.evolve import evolve
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.takings import takings
from hearts_engine.testing import SECRET, deal_at_random, deck_of, position, seated
from hearts_engine.value import replace
from hearts_engine.view import observe

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


@pytest.mark.parametrize(
    ("mine", "unseen", "holds"),
    [
        ("AS AS", "KS KS QS 2D 3D 4D", True),  # both aces are good, one after the other
        ("AS KS", "AS QS 2D 3D 4D 5D", False),  # the other ace cancels, or takes the king
        ("KS", "KS 2D 3D", False),  # an unseen twin is not lower
        ("KS", "QS QS 2D", True),  # lower twins beat nothing
        ("AH AH KH", "QH QH JH JH 2C 2C 3C 3C 4C", True),
    ],
)
def test_an_unseen_twin_is_never_beaten(mine: str, unseen: str, *, holds: bool) -> None:
    assert takes_the_rest(CardSet.parse(mine), CardSet.parse(unseen)) is holds


def after(state: State, command: Command) -> State:
    return reduce(evolve, decide(state, command), state)


def takes_every_trick(state: State, seat: Seat) -> bool:
    """Whether the seat can win all that is left, card by card, whatever the others play."""
    if state.phase is not Phase.PLAYING:
        return True
    if state.turn != seat and not state.play.cards:
        return False
    moves = (after(state, PlayCard(state.awaited[0], card)) for card in state.play.legal)
    if state.turn == seat:
        return any(takes_every_trick(move, seat) for move in moves)
    return all(takes_every_trick(move, seat) for move in moves)


ENDINGS = (
    "black_lady",
    "black_lady must_break=false queen_breaks=true",
    "black_lady queen_dump=first_chance queen_only_lead=free",
    "black_maria",
    "three removed=none kitty=last_trick",
    "five",
    "cancellation players=6 twins=first_wins",
    "cancellation players=6",
    "black_lady decks=2 kitty=first_penalty last_cancelled=second_of_top_pair",
)


@pytest.mark.parametrize("text", ENDINGS)
def test_an_accepted_claim_takes_the_rest_wherever_the_hidden_cards_lie(text: str) -> None:
    rules = parse_rules(text)
    chance = Random(text)
    verdicts: Counter[bool] = Counter()
    while verdicts[True] < 25 or verdicts[False] < 10:
        size = chance.choice((1, 2, 2, 3) if rules.players < 5 else (1, 2))
        high = sorted(rules.deck, key=lambda card: card.rank + chance.random() * 8)
        unseen = chance.sample(high[:-size], k=size * (rules.players - 1))
        mine = CardSet.of(high[-size:])
        answers: set[tuple[Event, ...] | Reason] = set()
        for _ in range(4):
            chance.shuffle(unseen)
            others = [CardSet.of(unseen[at : at + size]) for at in range(0, len(unseen), size)]
            broken = chance.random() < 0.5
            state = position(rules, [mine, *others], Seat(0), hearts_broken=broken)
            try:
                answers.add(decide(state, ClaimRest(Seat(0)))[:1])
            except Rejected as refused:
                answers.add(refused.reason)
            else:
                assert takes_every_trick(state, Seat(0)), (mine, others)
        assert len(answers) == 1, "what is hidden does not matter"
        verdicts[answers != {Reason.CLAIM_NOT_PROVEN}] += 1


def test_a_claim_takes_what_cancelled_tricks_have_left_lying() -> None:
    rules = parse_rules("black_lady decks=2")
    hands = hands_of("QS AS AC", "QS 5H 2C", "4D QH 3C", "6D QH 4C")
    state = position(rules, hands, Seat(0), hearts_broken=True)
    for seat, text in enumerate(("QS", "QS", "QH", "QH")):
        state = after(state, PlayCard(Seat(seat), Card.parse(text)))
    assert state.turn == 0, "the leader of a cancelled trick leads again"
    (claimed,) = decide(state, ClaimRest(Seat(0)))
    assert claimed == RestClaimed(Seat(0), 13 + 13 + 1 + 1 + 1)
    took = takings(evolve(state, claimed).play, rules)[0]
    assert CardSet.parse("QS QS QH QH 5H") <= took.cards


def with_kitty(left_over: str, owner: Seat | None) -> State:
    """Three seats, seat 0 on lead with two aces, and a kitty that is this seat's or nobody's."""
    rules = parse_rules("three removed=none kitty=last_trick pass_cycle=hold")
    # In index order the kitty of this position is the last card that nobody holds: KH.
    state = position(rules, hands_of("AS AH", "2D 3D", "4D 5D"), Seat(0), hearts_broken=True)
    kitty = CardSet.parse(left_over)
    known = kitty if owner is not None else NO_CARDS
    outcome = replace(state.play.outcome, kitty_seat=owner, kitty=known)
    exchange = replace(state.exchange, kitty=kitty)
    return replace(state, exchange=exchange, play=replace(state.play, outcome=outcome))


def test_a_claim_takes_an_unclaimed_kitty_and_its_points_count_once() -> None:
    state = with_kitty("KH", owner=None)
    events = decide(state, ClaimRest(Seat(0)))
    kitty = CardSet.parse("KH")
    assert events == (
        RestClaimed(Seat(0), 1),
        KittyWon(Seat(0)),
        KittyTaken(Seat(0), kitty),
    )
    end = after(state, ClaimRest(Seat(0)))
    assert CardSet.parse("AH KH") <= takings(end.play, end.game.rules)[0].cards
    scored = next(e for e in decide(end, ShowDeal(SECRET)) if isinstance(e, DealScored))
    assert scored.points == observe(end, Seat(0)).points
    assert sum(scored.points) == 26


def test_a_claim_leaves_a_kitty_to_the_seat_that_has_it() -> None:
    state = with_kitty("KH", owner=Seat(1))
    (claimed,) = decide(state, ClaimRest(Seat(0)))
    assert claimed == RestClaimed(Seat(0), 1)
    mine, other, _ = takings(evolve(state, claimed).play, state.game.rules)
    assert Card.parse("KH") in other.cards
    assert Card.parse("KH") not in mine.cards
    assert Card.parse("AH") in mine.cards


def test_the_taker_of_the_kitty_may_count_on_what_it_saw_there() -> None:
    rules = parse_rules("three removed=none kitty=first_trick pass_cycle=hold")
    hands = hands_of("QH JH", "2D AH", "4D 5D")
    state = position(rules, [hands[0], *hands_of("2D 3D", "4D 5D")], Seat(0), hearts_broken=True)
    assert not accepted(state)
    kitty = CardSet.parse("AH")
    own = replace(state.play.outcome, kitty_seat=Seat(0), kitty=kitty)
    another = replace(own, kitty_seat=Seat(1))
    assert accepted(replace(state, play=replace(state.play, outcome=own)))
    assert not accepted(replace(state, play=replace(state.play, outcome=another)))


def accepted(state: State) -> bool:
    try:
        decide(state, ClaimRest(Seat(0)))
    except Rejected:
        return False
    return True


def hands_of(*texts: str) -> list[CardSet]:
    return [CardSet.parse(text) for text in texts]


def provable() -> State:
    """Seat 1 is on lead and cannot lose a trick."""
    hands = hands_of("4D 5D", "AS AH", "2D QS", "3D 2H")
    return position(Rules(), hands, Seat(1), hearts_broken=True)


def test_a_proven_claim_takes_every_penalty_left() -> None:
    state = provable()
    events = decide(state, ClaimRest(Seat(1)))
    assert events == (RestClaimed(Seat(1), 15),)
    after = evolve(state, events[0])
    assert after.phase is Phase.SHOWING
    assert after.play.outcome.claimed == 1
    assert after.play.points[1] == state.play.points[1] + 15
    mine, before = takings(after.play, Rules())[1], takings(state.play, Rules())[1]
    assert mine.cards == before.cards + CardSet.parse("QS 2H AH")
    assert mine.tricks == before.tricks + 2
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
    assert game.state.play.outcome.claimed == 1
    deal_at_random(game, Random(3))
    assert game.state.play.outcome.claimed is None
