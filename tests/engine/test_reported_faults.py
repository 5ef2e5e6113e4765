"""Faults reported of other programs in rules, dealing, passing, scoring and claims, by number.

The file holds each as a small statement: what is held, what is asked, what is right. Each is put
before the engine here as a table would: a deck is dealt, or a position set up, and commands given.
"""

import json
import runpy
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hearts_engine.cards import PACK, SEATS, Card, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, ClaimRest, Command, Deal, PlayCard, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import DealScored, Event, GameEnded, PlayBegan, TrickCancelled, TrickTaken
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import (
    SECRET,
    Recording,
    deal_at_random,
    deck_of,
    position,
    random_choice,
    seated,
    unscored,
)
from hearts_engine.view import observe

AREAS = {"rules", "dealing", "passing", "scoring", "claim"}

Case = dict[str, Any]

PROJECT = Path(__file__).parents[2]
LINES = PROJECT / "tests" / "vectors" / "reported_faults.jsonl"
FAULTS: dict[str, Case] = {
    fault["id"]: fault["test_input"]
    for fault in map(json.loads, LINES.read_text().splitlines())
    if fault["area"] in AREAS
}


def cards_of(texts: list[str]) -> tuple[Card, ...]:
    return tuple(map(Card.parse, texts))


def set_of(texts: list[str]) -> CardSet:
    return CardSet.of(cards_of(texts))


def spelled(option: bool | int | str | list[str | int]) -> str:  # noqa: FBT001  (as read)
    match option:
        case bool():
            return str(option).lower()
        case [card, points]:
            return f"{card}:{points}"
        case _:
            return str(option)


RENAMED = {
    "queen_breaks_hearts=true": "queen_breaks=true",
    "queen_breaks_hearts=false": "queen_breaks=false",
    "sch=spot": "heart_value=spot queen_value=25",
    "rule=gt": "reach=gt",
}
"""Options that the faults call by other names."""


def text_of(options: Case, seats: int) -> str:
    """The rules of a case for so many seats; ``totals`` in its options are no rule."""
    if options.get("sch") == "maria":
        return "black_maria moon=none"
    base = {3: "three", 4: "black_lady", 5: "five", 6: "six"}[seats]
    if "deck_total" in options:
        assert (seats, options["deck_total"]) == (6, 25), "the deck without its twos"
        base = "six removed=2C,2D,2S,2H"
    words = [f"{k}={spelled(v)}" for k, v in options.items() if k not in {"totals", "deck_total"}]
    return " ".join([base, *(RENAMED.get(word, word) for word in words)])


def small_deck(rules: str, held: CardSet, cards: int) -> Rules:
    """These rules with a deck of so many cards, those held among them and the queen of spades."""
    kept = held if Card.parse("QS") in held else held.add(Card.parse("QS"))
    fillers = sorted((card for card in PACK if card not in kept), key=lambda card: -card.rank)
    deck = {*kept, *fillers[: cards - len(kept)]}
    removed = ",".join(str(card) for card in PACK if card not in deck)
    return parse_rules(f"{rules} removed={removed}")


def refusal(state: State, command: Command) -> Rejected | None:
    try:
        decide(state, command)
    except Rejected as refused:
        return refused
    return None


def answers(state: State, seat: Seat) -> tuple[set[Card], set[Card]]:
    """The cards of its hand that a seat may play, and those that it is refused."""
    hand = {*state.play.hands[seat]}
    told = {card: refusal(state, PlayCard(seat, card)) for card in hand}
    refused = {card for card, answer in told.items() if answer is not None}
    assert all(answer is None or answer.legal == state.play.legal for answer in told.values())
    return hand - refused, refused


def check_legal(case: Case) -> None:
    """A seat with this hand is to lead or follow at the trick of this number."""
    hand, number = set_of(case["hand"]), case["trick_no"]
    leads = case["led"] is None
    lead = next(c for c in PACK if c.suit.letter == (case["led"] or "C") and c not in hand)
    held = hand if leads else hand.add(lead)
    cards = 4 * (len(hand) + number - 1)
    rules = small_deck(text_of(case["options"], 4), held, cards)
    others = [card for card in rules.cards if card not in held]
    size = len(hand)
    first = hand if leads else CardSet.of([lead, *others[: size - 1]])
    rest = others if leads else others[size - 1 :]
    hands = [first, *([] if leads else [hand])]
    while len(hands) < 4:
        hands.append(CardSet.of(rest[:size]))
        rest = rest[size:]
    state = position(
        rules, hands, SEATS[0], hearts_broken=case["hearts_broken"], played=[] if leads else [lead]
    )
    assert len(state.play.tricks) == number - 1
    seat = SEATS[0] if leads else SEATS[1]
    if "seat_tricks_won" in case:
        won = sum(trick.taker == seat for trick in state.play.tricks)
        assert won == case["seat_tricks_won"]
    accepted, refused = answers(state, seat)
    assert accepted == {*state.play.legal} == {*cards_of(case["expect"])}
    assert refused == {*hand} - accepted


def check_trick(case: Case) -> None:
    """These cards are played to one trick, in turn from the leader."""
    cards, leader = cards_of(case["cards"]), Seat(case["leader"])
    seats = len(cards)
    packs = "decks=2" if case["cancel"] else "decks=1"
    size = 52 * (2 if case["cancel"] else 1)
    spare = [card for card in PACK if card.rank < 9 and card not in cards]
    removed = ",".join(map(str, sorted(spare[: size % seats]))) or "none"
    rules = parse_rules(
        f"black_lady players={seats} {packs} removed={removed} pass_cycle=hold opening=eldest"
    )
    last = case.get("last_trick", False)
    hands = [CardSet()] * seats
    others = [card for card in rules.deck if card not in cards]
    for place, card in enumerate(cards):
        hand = CardSet.of([card])
        if not last:  # another of the suit, so that nobody could have followed who did not
            fellow = next(other for other in others if other.suit is card.suit)
            others.remove(fellow)
            hand = hand.add(fellow)
        hands[(leader + place) % seats] = hand
    game = seated(rules)
    game.state = position(rules, hands, leader, hearts_broken=True)
    happened: tuple[Event, ...] = ()
    for card in cards:
        assert game.state.turn is not None
        happened = game.do(PlayCard(game.state.turn, card))
    outcome = next(e for e in happened if isinstance(e, TrickTaken | TrickCancelled))
    if case["expect_winner"] is None:
        assert outcome == TrickCancelled()
        assert game.state.turn == leader
        return
    assert isinstance(outcome, TrickTaken)
    assert outcome.seat == case["expect_winner"]
    assert outcome.points == case.get("expect_points", rules.value_of(cards))
    assert game.state.turn == (None if last else outcome.seat)


def shown(state: State) -> tuple[DealScored, GameEnded | None]:
    events = decide(state, ShowDeal(SECRET))
    scored = next(event for event in events if isinstance(event, DealScored))
    return scored, next((event for event in events if isinstance(event, GameEnded)), None)


def check_score(case: Case) -> None:
    """The seats have taken these cards, and the deal is over."""
    taken = [set_of(texts) for texts in case["taken"]]
    rules = parse_rules(text_of(case["options"], len(taken)))
    assert sum(taken, CardSet()) & rules.penalties == rules.penalties, "all points are taken"
    totals = tuple(case["options"].get("totals", [0] * len(taken)))
    scored, _ = shown(unscored(rules, deal=5, totals=totals, taken=taken))
    assert list(scored.scores) == case["expect"]
    assert list(scored.totals) == [a + b for a, b in zip(totals, case["expect"], strict=True)]


def check_game_end(case: Case) -> None:
    """After a deal the seats stand at these totals."""
    rules = parse_rules(text_of(case["options"], 4))
    hearts = CardSet.of_suit(Suit.HEARTS) & rules.cards
    taken = [hearts, CardSet.parse("QS"), CardSet(), CardSet()]
    totals = case["totals"]
    before = (totals[0] - 13, totals[1] - 13, *totals[2:])
    scored, ended = shown(unscored(rules, deal=5, totals=before, taken=taken))
    assert list(scored.totals) == totals
    assert (ended is not None) is case["expect"]["over"]
    winners = [] if ended is None else [s for s, place in enumerate(ended.places) if place == 1]
    assert winners == case["expect"]["winners"]


def check_pass_cycle(case: Case) -> None:
    """The directions of the deals of a game, or of the first of a new one."""
    for cycle in case.get("cases", ()):
        game = seated(parse_rules(text_of({"target": 1000}, cycle["players"])))
        directions: list[str] = []
        for seed in range(len(cycle["expect"])):
            deal_at_random(game, Random(seed))
            directions.append(game.state.exchange.direction)
        assert directions == cycle["expect"]
    if "expect_next" in case:
        for deals in (case["hands_played"], 1):
            game = seated(parse_rules(text_of({"target": 1000}, case["players"])))
            deal_at_random(game, Random(1))
            assert game.state.exchange.direction == case["expect_next"]
            for seed in range(deals - 1):
                deal_at_random(game, Random(seed))


def dealt(rules: str, hands: list[CardSet]) -> Recording:
    """These hands, dealt from a deck of just their cards."""
    deck = sum(hands, CardSet())
    removed = ",".join(str(card) for card in PACK if card not in deck)
    game = seated(parse_rules(f"{rules} removed={removed}"))
    game.do(Deal(deck_of(hands)))
    return game


REFUSED_AS = {
    "reject:duplicate": Reason.DUPLICATE_CARDS,
    "reject:protected": Reason.TOP_SPADES_KEPT,
    "reject:not_in_hand": Reason.CARD_NOT_HELD,
    "reject:phase": Reason.WRONG_PHASE,
}


def refusal_of(game: Recording, command: Command) -> Reason:
    """Why a command is refused, which must leave no trace."""
    before = game.state, list(game.events)
    with pytest.raises(Rejected) as caught:
        game.do(command)
    assert (game.state, game.events) == before
    return caught.value.reason


def check_pass_validate(case: Case) -> None:
    """A seat with this hand would pass these cards."""
    seats, hand = case.get("players", 4), set_of(case["hand"])
    held = [card for card in (*PACK[26:], *PACK[:26]) if card not in hand]
    size = len(hand)
    others = [CardSet.of(held[at : at + size]) for at in range(0, size * (seats - 1), size)]
    if not any(Card.parse("QS") in other for other in others):
        others[0] = others[0].remove(others[0].lowest()).add(Card.parse("QS"))
    if not any(card < 13 for hand_ in (hand, *others) for card in hand_):
        others[-1] = others[-1].remove(others[-1].highest()).add(Card.parse("2C"))
    options = text_of(case.get("options", {}), seats)
    game = dealt(f"{options} pass_count={case['need']} pass_cycle=left", [hand, *others])
    command = ChoosePass(SEATS[0], cards_of(case["pick"]))
    assert refusal_of(game, command) is REFUSED_AS[case["expect"]]
    assert game.state.play.hands[0] == hand


def check_pass(case: Case) -> None:
    """Every seat passes; the hands afterwards, and who leads."""
    hands = [set_of(texts) for texts in case["hands"]]
    game = dealt(f"black_lady pass_cycle={case['direction']}", hands)
    for seat, pick in zip(SEATS, case["picks"], strict=False):
        game.do(ChoosePass(seat, cards_of(pick)))
    assert list(game.state.play.hands) == [set_of(texts) for texts in case["expect_hands"]]
    assert game.state.turn == case["expect_leader"]
    assert game.events[-1] == PlayBegan(Seat(case["expect_leader"]))


def check_opening_leader(case: Case) -> None:
    """A deal without a pass in which a seat holds the two of clubs."""
    ((low, holder),) = case["holders"].items()
    for seed in range(20):
        rest = Random(seed).sample([card for card in PACK if str(card) != low], k=51)
        rest.insert(4 * (seed % 13) + holder, Card.parse(low))
        game = seated(parse_rules(f"black_lady pass_cycle={case['pass']}"))
        game.do(Deal(tuple(rest)))
        assert game.state.turn == case["expect_leader"]


def check_claim(case: Case) -> None:
    """A seat on lead claims the rest, however the cards that it has not seen lie."""
    for claim in case["cases"]:
        hand, unseen = set_of(claim["hand"]), cards_of(claim["unseen"])
        for order in {
            tuple(frozenset(lie[at : at + 2]) for at in (0, 2, 4)) for lie in permutations(unseen)
        }:
            hands = [hand, *map(CardSet.of, order)]
            state = position(Rules(), hands, SEATS[0], hearts_broken=True)
            refused = refusal(state, ClaimRest(SEATS[0]))
            assert (refused is None) is claim["expect"]
            assert refused is None or refused.reason is Reason.CLAIM_NOT_PROVEN


def check_multi(case: Case) -> None:
    for part in case["cases"]:
        CHECKS[part["kind"]](part)


def check_broken_on_the_first_trick(case: Case) -> None:
    """HB-010: the cards of the first trick, of which one is a heart discarded by a void seat."""
    (event,) = case["events"]
    cards = cards_of(event.removeprefix("trick 1: ").split(" (")[0].split())
    spades = iter(PACK[26:39])
    clubs = iter(card for card in PACK[:13] if card not in cards)
    hands = [
        CardSet.of([card, *(next(clubs) for _ in range(2))])
        if card < 13
        else CardSet.of([card, *(next(spades) for _ in range(2))])
        for card in cards
    ]
    deck = sum(hands, CardSet())
    if Card.parse("QS") not in deck:
        hands[2] = CardSet.of([cards[2], *cards_of(["QS", "2S"])])
    game = dealt("black_lady pass_cycle=hold first_trick=any", hands)
    for card in cards:
        assert game.state.turn is not None
        assert not game.state.play.hearts_broken
        game.do(PlayCard(game.state.turn, card))
        if card.is_heart:
            break
    assert game.state.play.hearts_broken is case["expect"]["hearts_broken"]


def check_points_in_mid_trick(case: Case) -> None:
    """HB-045: one trick without points taken by seat 2, and two cards of the next lie open."""
    hands = [CardSet.parse(text) for text in ("2C 3D", "4C 6D", "AC 4D", "5C 5H")]
    game = dealt("black_lady queen_value=0 pass_cycle=hold", hands)
    for text in ("2C", "4C", "AC", "5C", "4D", "5H"):
        assert game.state.turn is not None
        game.do(PlayCard(game.state.turn, Card.parse(text)))
    taken = next(event for event in game.events if isinstance(event, TrickTaken))
    assert taken == TrickTaken(Seat(2), 0)
    assert list(map(str, game.state.play.cards)) == ["4D", "5H"]
    for watcher in (*SEATS[:4], None):
        assert list(observe(game.state, watcher).points) == case["expect"]["points_taken"]


def check_state(case: Case) -> None:
    if "hearts_broken" in case["expect"]:
        check_broken_on_the_first_trick(case)
    else:
        check_points_in_mid_trick(case)


def check_pass_sequence(case: Case) -> None:
    """HB-025: seat 0 has chosen its pass to seat 1, which would pass one of those cards on."""
    first, _, second = case["steps"]
    sent = cards_of(first.split("[")[1].split("]")[0].split(","))
    wanted = cards_of(second.split("[")[1].split("]")[0].split(","))
    texts = ("AS KS 2D 2C", "3C 4C 5C 6C", "7C 8C 9C TC", "QS JC QC KC")
    game = dealt("black_lady pass_cycle=left", [CardSet.parse(text) for text in texts])
    game.do(ChoosePass(SEATS[0], sent))
    view = observe(game.state, SEATS[1])
    assert not {*view.hand, *view.legal, *view.received, *view.played} & {*sent}
    assert not view.moves
    _, refused = case["expect"]
    assert refusal_of(game, ChoosePass(SEATS[1], wanted)) is REFUSED_AS[refused]


def check_claim_while_passing(case: Case) -> None:
    """HB-053: nothing is claimed before play, and a claim is gone with its deal."""
    game = seated(Rules(target=1000))
    game.do(Deal(tuple(Random(3).sample(PACK, k=52))))
    assert game.state.phase is Phase.PASSING
    for seat in SEATS[:4]:
        assert refusal_of(game, ClaimRest(seat)) is REFUSED_AS[case["expect"]]


def check_statistics(case: Case) -> None:
    """HB-021: some of the deals; more are in test_shuffle.py, and all in ``make differential``."""
    bias = runpy.run_path(str(PROJECT / "tools" / "shuffle_bias.py"), run_name="shuffle_bias")
    assert bias["spread_of"](bias["decks"]("another seed"), case["n"] // 50).is_even
    assert f"tools/shuffle_bias.py --deals {case['n']}" in (PROJECT / "Makefile").read_text()


CHECKS: dict[str, Callable[[Case], None]] = {
    "legal": check_legal,
    "multi": check_multi,
    "state": check_state,
    "trick": check_trick,
    "opening_leader": check_opening_leader,
    "pass": check_pass,
    "score": check_score,
    "statistical": check_statistics,
    "pass_validate": check_pass_validate,
    "pass_sequence": check_pass_sequence,
    "pass_cycle": check_pass_cycle,
    "game_end": check_game_end,
    "claim": check_claim,
    "net": check_claim_while_passing,
}


@pytest.mark.parametrize("number", FAULTS)
def test_a_fault_that_others_had_is_not_ours(number: str) -> None:
    case = FAULTS[number]
    CHECKS[case["kind"]](case)


def ids() -> Iterator[str]:
    rules = (1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 46, 48, 49)
    dealing, passing, claims = (17, 21), (18, 24, 25, 26, 28, 29), (52, 53)
    scoring = (20, 33, 34, 36, 37, 38, 40, 41, 42, 45, 50)
    for number in (*rules, *dealing, *passing, *scoring, *claims):
        yield f"HB-{number:03}"


def test_every_reported_fault_of_these_areas_is_tried() -> None:
    assert {*FAULTS} == {*ids()}
    assert {case["kind"] for case in FAULTS.values()} == {*CHECKS}


def test_hb_026_top_spades_are_kept_by_tables_of_every_size() -> None:
    case = FAULTS["HB-026"]
    for players in range(3, 7):
        check_pass_validate(case | {"players": players})


def test_hb_009_what_breaks_hearts_follows_the_option_and_not_the_points() -> None:
    for options, expected in zip(("", "queen_breaks=true"), FAULTS["HB-009"]["cases"], strict=True):
        texts = ("4D 9D", "QS 4C", "AD 5D", "KD 6D")
        hands = [CardSet.parse(text) for text in texts]
        rules = parse_rules(f"black_lady {options}")
        state = position(rules, hands, SEATS[0], hearts_broken=False)
        for text in ("4D", "QS", "AD", "KD"):
            assert state.turn is not None
            state = reduce(evolve, decide(state, PlayCard(state.turn, Card.parse(text))), state)
        assert state.play.hearts_broken is expected["hearts_broken"]


def test_hb_013_the_winner_is_counted_from_every_leader_at_every_size_of_table() -> None:
    for players in range(3, 11):
        for leader in range(players):
            cards = [str(card) for card in Random(leader).sample(PACK[:13], k=players)]
            best = max(range(players), key=lambda place: Card.parse(cards[place]))
            winner = (leader + best) % players
            case = {"leader": leader, "cards": cards, "expect_winner": winner, "last_trick": True}
            check_trick(case | {"cancel": False})


def test_hb_053_a_claim_is_no_longer_there_in_the_next_deal() -> None:
    game = seated(Rules(target=1000))
    chance = Random(7)
    claimed = 0
    while claimed < 3:
        game.do(Deal(tuple(chance.sample(PACK, k=52))))
        assert game.state.play.outcome.claimed is None
        while game.state.phase is not Phase.SHOWING:
            turn = game.state.turn
            if turn is not None and refusal(game.state, ClaimRest(turn)) is None:
                game.do(ClaimRest(turn))
                claimed += 1
                continue
            game.do(random_choice(game.state, chance))
        game.do(ShowDeal(SECRET))
