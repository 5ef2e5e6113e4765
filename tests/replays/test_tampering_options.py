"""A server that bends the rules of other games than the standard one, and signs it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest

from hearts_engine.audience import audience
from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    CentreTaken,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    KittyDealt,
    KittyShown,
    KittyTaken,
    KittyWon,
    LogSealed,
    MoonChosen,
    MoonOffered,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SecretRevealed,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.options import MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.finding import Finding, Kind
from hearts_replays.seal import seal_of
from hearts_replays.testing import KEY, MIDNIGHT, Plan, whole_log
from hearts_replays.timing import SECOND
from hearts_wire.records import Record, encode_record

E = TypeVar("E", bound=Event)

NO_HEARTS = ",".join(f"{rank}H" for rank in "23456789TJQKA")
KITTY = "three removed=none kitty=first_trick deals=2 tie=shared"
CENTRE = "black_lady pass_cycle=shuffle deals=1 tie=shared"
SCATTER = "black_lady pass_cycle=scatter deals=1 tie=shared"
MOON = f"three removed={NO_HEARTS} moon=choose deals=3 tie=shared"
TWINS = "cancellation players=10 deals=3 tie=shared"
EARLY = "black_lady finish=early deals=4 tie=shared"


def game(
    text: str,
    kind: type[Event] = LogSealed,
    holds: Callable[[Sequence[Event]], bool] = bool,
    *,
    claim: bool = False,
) -> tuple[Event, ...]:
    """The events of a clean game by these rules in which an event of this kind happens."""
    for seed in range(400):
        plan = Plan(parse_rules(text), claim=claim)
        events = whole_log(Random(seed), plan).events
        if any(isinstance(event, kind) for event in events) and holds(events):
            assert audit(signed(events)).clean
            return tuple(events)
    raise AssertionError(f"no game of {text} reaches this")


def salted(events: Sequence[Event]) -> list[bytes]:
    """These events as the records of a log, whatever the rules say."""
    return [
        encode_record(
            Record(seq, time_of(seq), event, b"" if audience(event) is None else seq.to_bytes(16))
        )
        for seq, event in enumerate(events, start=1)
    ]


def time_of(seq: int) -> int:
    """When a record was written: long after the one before."""
    return MIDNIGHT + seq * 60 * SECOND


def signed(events: Sequence[Event]) -> list[bytes]:
    """The same with the server's seal in place of the one they end with."""
    opened = events[0]
    assert isinstance(opened, GameOpened)
    assert isinstance(events[-1], LogSealed)
    log = salted(events[:-1])
    seq = len(log) + 1
    seal = seal_of(KEY, opened.game_id, EMPTY_CHAIN.extended(log), time_of(seq))
    return [*log, encode_record(Record(seq, time_of(seq), seal))]


def found(events: Sequence[Event]) -> Finding:
    report = audit(signed(events))
    assert report.finding is not None
    assert report.proof, "the server signed it"
    return report.finding


def at(events: Sequence[Event], kind: type[E], nth: int = 0) -> tuple[int, E]:
    """The index of the n-th event of a kind, and the event."""
    return [(i, event) for i, event in enumerate(events) if isinstance(event, kind)][nth]


def put(events: Sequence[Event], index: int, *others: Event) -> list[Event]:
    """The same with others in the place of one."""
    return [*events[:index], *others, *events[index + 1 :]]


def assert_found(events: Sequence[Event], index: int, kind: Kind = Kind.RULES) -> Finding:
    finding = found(events)
    assert (finding.seq, finding.kind) == (index + 1, kind), finding.sentence
    return finding


def unrevealed(events: Sequence[Event]) -> Sequence[Event]:
    """A game up to the end of its first deal, whose secret is not out."""
    return events[: at(events, HandShown)[0]]


def next_seat(seat: Seat, players: int = 3) -> Seat:
    return Seat((seat + 1) % players)


def with_kitty(events: Sequence[Event], kitty: CardSet) -> list[Event]:
    """The same with another kitty in the first deal, all through it."""
    taker = at(events, KittyTaken)[1].seat
    changed = put(events, at(events, KittyDealt)[0], KittyDealt(kitty))
    changed = put(changed, at(events, KittyTaken)[0], KittyTaken(taker, kitty))
    return put(changed, at(events, KittyShown)[0], KittyShown(kitty))


def test_a_kitty_that_the_secret_does_not_give_is_found_where_it_was_dealt() -> None:
    events = game(KITTY)
    index, dealt = at(events, KittyDealt)
    assert len(dealt.cards) == 1
    other = CardSet.of([PACK[(dealt.cards.lowest() + 1) % 52]])
    finding = assert_found(with_kitty(events, other), index, Kind.FAIRNESS)
    assert f"give: the kitty is {dealt.cards}; the log says: the kitty is" in finding.sentence


def test_a_kitty_of_cards_that_were_dealt_to_a_seat_is_found_before_the_secret_is_out() -> None:
    events = game(KITTY)
    index, _ = at(events, KittyDealt)
    hand = at(events, HandDealt)[1].cards
    told = unrevealed(put(events, index, KittyDealt(CardSet.of([hand.lowest()]))))
    finding = audit(salted(told)).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (index + 1, Kind.RULES)
    assert "the kitty is what no seat was dealt" in finding.sentence


def test_a_card_exchanged_with_the_kitty_is_found_once_the_secret_is_out() -> None:
    events = game(KITTY)
    first, hand = at(events, HandDealt)
    index, kitty = at(events, KittyDealt)
    swapped = hand.cards - CardSet.of([hand.cards.highest()]) + kitty.cards
    told = put(
        put(events, first, replace(hand, cards=swapped)),
        index,
        KittyDealt(CardSet.of([hand.cards.highest()])),
    )
    assert_found(told, first, Kind.FAIRNESS)
    dealt = audit(salted(told[: at(events, PassChosen)[0]])).finding
    assert dealt is not None
    assert dealt.kind is Kind.UNSEALED, "they fit together: nobody can know yet"


def test_a_kitty_left_out_is_found() -> None:
    events = game(KITTY)
    index, _ = at(events, KittyDealt)
    assert_found(put(events, index), index, Kind.FAIRNESS)
    told = audit(salted(unrevealed(put(events, index)))).finding
    assert told is not None
    assert (told.seq, told.kind) == (index + 1, Kind.RULES)


def test_a_log_that_stops_before_its_kitty_does_not_say_what_it_is() -> None:
    events = game(KITTY)
    finding = audit(salted(events[: at(events, KittyDealt)[0]])).finding
    assert finding is not None
    assert finding.kind is Kind.BROKEN_OFF
    assert finding.sentence.endswith("here must come: the kitty")


@pytest.mark.parametrize("kind", [KittyWon, KittyTaken])
def test_a_kitty_given_to_another_seat_is_found(kind: type[KittyWon | KittyTaken]) -> None:
    events = game(KITTY)
    index, event = at(events, kind)
    assert_found(put(events, index, replace(event, seat=next_seat(event.seat))), index)


def test_a_kitty_that_came_with_the_wrong_trick_is_found() -> None:
    events = game(KITTY)
    won, taken = at(events, KittyWon)[0], at(events, KittyTaken)[0]
    late = [*events[:won], *events[taken + 1 :]]
    assert_found(late, won)
    trick, first = at(events, TrickTaken, 1)
    twice = KittyWon(first.seat)
    assert_found([*events[: trick + 1], twice, *events[trick + 1 :]], trick + 1)


def test_a_kitty_that_changed_while_it_lay_there_is_found() -> None:
    events = game(KITTY)
    other = CardSet.parse("2C 3C")
    index, taken = at(events, KittyTaken)
    assert_found(put(events, index, replace(taken, cards=other)), index)
    index, _ = at(events, KittyShown)
    assert_found(put(events, index, KittyShown(other)), index)


def test_a_kitty_that_came_with_a_claim_is_not_counted_in_it() -> None:
    text = "three removed=none kitty=last_trick heart_value=face5 deals=6 tie=shared"
    events = game(text, RestClaimed, claim=True)
    index, claim = at(events, RestClaimed)
    assert_found(put(events, index, replace(claim, points=claim.points + 1)), index)
    assert isinstance(events[index + 1], KittyWon)
    assert_found(put(events, index + 1), index + 1)


def test_a_centre_shared_in_another_order_is_found_once_the_secret_is_out() -> None:
    events = game(CENTRE)
    (one, first), (two, second) = at(events, CentreTaken), at(events, CentreTaken, 1)
    swapped = put(events, one, replace(first, cards=second.cards))
    swapped = put(swapped, two, replace(second, cards=first.cards))
    finding = assert_found(swapped, one, Kind.FAIRNESS)
    assert f"South takes {first.cards} from the centre; the log says" in finding.sentence
    told = audit(salted(swapped[: at(events, PlayBegan)[0]])).finding
    assert told is not None
    assert told.kind is Kind.BROKEN_OFF, "they fit together: nobody can know yet"


@pytest.mark.parametrize(
    "share",
    [
        CentreTaken(Seat(1), CardSet.parse("2C 3C 4C 5C")),
        CentreTaken(Seat(1), CardSet()),
        CentreTaken(Seat(2), CardSet.parse("2C 3C 4C")),
        PlayBegan(Seat(1)),
    ],
    ids=str,
)
def test_a_share_that_cannot_be_is_found_before_the_secret_is_out(share: Event) -> None:
    events = game(CENTRE)
    index, _ = at(events, CentreTaken, 1)
    finding = audit(salted(unrevealed(put(events, index, share)))).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (index + 1, Kind.RULES)
    assert "a seat takes 3 cards of the centre that no other took" in finding.sentence


def test_a_share_of_cards_that_another_took_is_found_before_the_secret_is_out() -> None:
    events = game(CENTRE)
    (_, first), (index, second) = at(events, CentreTaken), at(events, CentreTaken, 1)
    told = unrevealed(put(events, index, replace(second, cards=first.cards)))
    finding = audit(salted(told)).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (index + 1, Kind.RULES)


def test_a_centre_that_is_never_shared_is_found() -> None:
    events = game(CENTRE)
    first, began = at(events, CentreTaken)[0], at(events, PlayBegan)[0]
    finding = found([*events[:first], *events[began:]])
    assert (finding.seq, finding.kind) == (first + 1, Kind.RULES)
    twice = [*events[: began + 1], events[first], *events[began + 1 :]]
    assert_found(twice, began + 1)


def test_cards_scattered_to_other_seats_than_was_chosen_are_found() -> None:
    events = game(SCATTER)
    index, chosen = at(events, PassChosen)
    told = put(events, index, replace(chosen, cards=chosen.cards[::-1]))
    finding = found(told)
    assert finding.kind is Kind.RULES
    assert "passes" in finding.sentence


def test_a_pass_written_in_another_order_than_the_one_is_found() -> None:
    events = game("black_lady deals=1 tie=shared")
    index, chosen = at(events, PassChosen)
    assert_found(put(events, index, replace(chosen, cards=chosen.cards[::-1])), index)


def test_top_spades_that_were_passed_though_they_are_kept_are_found() -> None:
    events = game("black_lady keep_top_spades=true deals=1 tie=shared")
    hands = {event.seat: event.cards for event in events if isinstance(event, HandDealt)}
    queen = CardSet.parse("QS")
    owner = next(seat for seat, hand in hands.items() if queen <= hand)
    index, chosen = at(events, PassChosen, owner)
    assert chosen.seat == owner
    cards = tuple(sorted((*chosen.cards[:2], queen.lowest())))
    finding = assert_found(put(events, index, replace(chosen, cards=cards)), index)
    assert "queen of spades stay" in finding.sentence


def test_a_moon_chosen_by_a_seat_that_did_not_shoot_it_is_found() -> None:
    events = game(MOON)
    index, chosen = at(events, MoonChosen)
    finding = assert_found(put(events, index, replace(chosen, seat=next_seat(chosen.seat))), index)
    assert f"the moon is seat {chosen.seat}'s" in finding.sentence


def test_a_moon_offered_to_a_seat_that_did_not_shoot_it_is_found() -> None:
    events = game(MOON)
    index, offered = at(events, MoonOffered)
    assert_found(put(events, index, MoonOffered(next_seat(offered.seat))), index)


def test_a_moon_that_was_not_offered_is_found() -> None:
    events = game(MOON)
    index, _ = at(events, MoonOffered)
    assert_found([*events[:index], *events[index + 2 :]], index)
    assert_found(put(events, index), index)


def test_a_moon_offered_where_nobody_is_asked_is_found() -> None:
    events = game(MOON.replace("choose", "add"))
    index, _ = at(events, HandShown)
    moon = at(events, DealScored)[1].moon
    assert moon is not None
    asked = [*events[:index], MoonOffered(moon), MoonChosen(moon, MoonChoice.ADD), *events[index:]]
    assert_found(asked, index)
    assert_found(put(asked, index), index)


def on_the_clock(events: Sequence[Event]) -> list[Event]:
    """The same game, in which everyone has a second for a card."""
    opened = events[0]
    assert isinstance(opened, GameOpened)
    return put(events, 0, replace(opened, turn_seconds=1, bot_seconds=1))


def test_a_clock_chooses_a_moon_only_as_it_is_scored_by_itself() -> None:
    events = on_the_clock(
        game(MOON, holds=lambda told: at(told, MoonChosen)[1].choice is MoonChoice.ADD)
    )
    index, chosen = at(events, MoonChosen)
    assert audit(signed(put(events, index, replace(chosen, by=Agent.CLOCK)))).clean
    other = replace(chosen, by=Agent.CLOCK, choice=MoonChoice.SUBTRACT)
    finding = assert_found(put(events, index, other), index)
    assert "take off its own" in finding.sentence


def test_autopilot_chooses_a_moon_only_as_it_is_scored_by_itself() -> None:
    events = game(MOON, holds=lambda told: at(told, MoonChosen)[1].choice is MoonChoice.ADD)
    index, chosen = at(events, MoonChosen)
    away, back = SeatAway(chosen.seat, Absence.LEFT), SeatBack(chosen.seat)
    told = put(events, index, away, replace(chosen, by=Agent.AUTOPILOT), back)
    assert audit(signed(told)).clean
    other = replace(chosen, by=Agent.AUTOPILOT, choice=MoonChoice.SUBTRACT)
    finding = assert_found(put(told, index + 1, other), index + 1)
    assert "take off its own" in finding.sentence


def scored_otherwise(events: Sequence[Event], scores: tuple[int, ...]) -> tuple[list[Event], int]:
    """The game with other scores in its first deal, the totals to match; and where."""
    index, scored = at(events, DealScored)
    assert scored.scores != scores
    return put(events, index, replace(scored, scores=scores, totals=scores)), index


def test_a_moon_scored_in_the_other_way_than_was_chosen_is_found() -> None:
    events = game(MOON, holds=lambda told: at(told, MoonChosen)[1].choice is MoonChoice.SUBTRACT)
    shooter = at(events, MoonChosen)[1].seat
    others = tuple(0 if seat == shooter else 13 for seat in range(3))
    assert_found(*scored_otherwise(events, others))


def test_a_moon_where_the_rules_know_none_is_found() -> None:
    events = game(MOON.replace("choose", "none"))
    shooter = at(events, DealScored)[1].points.index(13)
    index, scored = at(events, DealScored)
    assert_found(put(events, index, replace(scored, moon=Seat(shooter))), index)


def test_a_bonus_that_was_not_taken_off_is_found() -> None:
    events = game("omnibus deals=1 tie=shared")
    _, scored = at(events, DealScored)
    assert scored.moon is None
    assert scored.scores != scored.points
    assert_found(*scored_otherwise(events, scored.points))


def no_trick_taken(events: Sequence[Event]) -> bool:
    """Whether some seat took no trick in the first deal, and none shot the moon."""
    index, scored = at(events, DealScored)
    takers = {event.seat for event in events[:index] if isinstance(event, TrickTaken)}
    return len(takers) < len(scored.scores) and scored.moon is None


def test_a_bonus_for_no_tricks_that_was_not_taken_off_is_found() -> None:
    events = game("black_lady no_tricks_bonus=5 deals=1 tie=shared", holds=no_trick_taken)
    assert_found(*scored_otherwise(events, at(events, DealScored)[1].points))


def all_tricks_taken(events: Sequence[Event]) -> bool:
    """Whether one seat took every trick of the first deal."""
    index, _ = at(events, DealScored)
    return len({event.seat for event in events[:index] if isinstance(event, TrickTaken)}) == 1


def test_a_sun_scored_like_any_moon_is_found() -> None:
    two_tricks = {"2C", "3C", "4C", "5C", "6C", "QS"}
    others = ",".join(str(card) for card in PACK if str(card) not in two_tricks)
    text = f"three removed={others} pass_cycle=hold sun=double deals=1 tie=shared"
    events = game(text, holds=all_tricks_taken)
    moon = at(events, DealScored)[1].moon
    assert moon is not None
    worth = max(at(events, DealScored)[1].scores)
    halved = tuple(0 if seat == moon else worth // 2 for seat in range(3))
    assert worth == 26
    assert_found(*scored_otherwise(events, halved))


def test_a_cancelled_trick_that_is_called_taken_is_found() -> None:
    events = game(TWINS, TrickCancelled)
    index, _ = at(events, TrickCancelled)
    led = events[index - 10]
    assert isinstance(led, CardPlayed)
    finding = assert_found(put(events, index, TrickTaken(led.seat, 0)), index)
    assert "the rules give: the trick is cancelled" in finding.sentence


def test_a_taken_trick_that_is_called_cancelled_is_found() -> None:
    events = game(TWINS)
    index, _ = at(events, TrickTaken)
    finding = assert_found(put(events, index, TrickCancelled()), index)
    assert "the log says: the trick is cancelled" in finding.sentence


def test_the_cards_of_a_cancelled_trick_cost_whoever_takes_the_next() -> None:
    events = game(TWINS, TrickCancelled, holds=carries_points)
    index = at(events, TrickCancelled)[0]
    after, taken = next(
        (i, event) for i, event in enumerate(events) if i > index and isinstance(event, TrickTaken)
    )
    own = [event.card for event in events[index + 1 : after] if isinstance(event, CardPlayed)]
    alone = parse_rules(TWINS).value_of(own)
    assert taken.points != alone
    assert_found(put(events, after, replace(taken, points=alone)), after)


def carries_points(events: Sequence[Event]) -> bool:
    index = at(events, TrickCancelled)[0]
    cards = [event.card for event in events[index - 10 : index] if isinstance(event, CardPlayed)]
    return parse_rules(TWINS).value_of(cards) > 0


def test_a_trick_taken_by_a_cancelled_card_is_found() -> None:
    events = game(TWINS)
    for index, event in enumerate(events):
        if not isinstance(event, TrickTaken):
            continue
        plays = [play for play in events[index - 10 : index] if isinstance(play, CardPlayed)]
        top = max(play.card for play in plays if play.card.suit is plays[0].card.suit)
        pair = [play.seat for play in plays if play.card == top]
        if len(pair) == 2 and event.seat not in pair:
            assert_found(put(events, index, replace(event, seat=pair[0])), index)
            return
    raise AssertionError("no trick of this game has its highest card cancelled")


def test_an_end_that_comes_a_deal_early_is_found() -> None:
    events = game("black_lady deals=2 tie=shared")
    index, scored = at(events, DealScored)
    places = tuple(1 + sum(b < a for b in scored.totals) for a in scored.totals)
    told = [*events[: index + 1], GameEnded(scored.totals, places), events[-1]]
    assert_found(told, index + 1)


def test_a_deal_after_the_last_is_found() -> None:
    events = game("black_lady deals=2 tie=shared")
    opened = events[0]
    assert isinstance(opened, GameOpened)
    shorter = replace(opened, rules=parse_rules("black_lady deals=1 tie=shared"))
    index, _ = at(events, DealBegan, 1)
    assert_found(put(events, 0, shorter), index)


@pytest.mark.parametrize(
    ("ended", "going_on"),
    [
        ("target=13 tie=shared", "target=13 tie=shared reach=gt"),
        ("target=13 exact=exact_wins tie=shared", "target=14 tie=shared"),
    ],
)
def test_an_end_that_these_options_do_not_give_is_found(ended: str, going_on: str) -> None:
    def at_the_target(events: Sequence[Event]) -> bool:
        return max(at(events, DealScored)[1].totals) == 13

    events = game(f"black_lady {ended}", holds=at_the_target)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    told = put(events, 0, replace(opened, rules=parse_rules(f"black_lady {going_on}")))
    index, _ = at(events, GameEnded)
    assert at(events, DealScored)[0] == index - 1, "it ends after one deal"
    assert_found(told, index)


def tied(events: Sequence[Event]) -> bool:
    totals = at(events, GameEnded)[1].totals
    return totals.count(min(totals)) > 1


def test_a_first_place_shared_where_another_deal_decides_is_found() -> None:
    events = game("black_lady deals=1 tie=shared", holds=tied)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    told = put(events, 0, replace(opened, rules=parse_rules("black_lady deals=1")))
    assert_found(told, at(events, GameEnded)[0])


def test_whoever_lands_on_the_target_is_not_placed_behind_another() -> None:
    events = game(
        "black_lady target=13 exact=exact_wins tie=shared",
        holds=lambda told: at(told, DealScored)[1].totals.count(13) == 1,
    )
    index, ended = at(events, GameEnded)
    places = tuple(1 + sum(b < a for b in ended.totals) for a in ended.totals)
    assert places != ended.places
    assert_found(put(events, index, replace(ended, places=places)), index)


def test_fifty_points_that_were_not_taken_off_are_found() -> None:
    events = game(
        "black_lady target=13 exact=exact_minus_50 tie=shared",
        holds=lambda told: -37 in at(told, DealScored)[1].totals,
    )
    assert_found(*scored_otherwise(events, at(events, DealScored)[1].points))


def test_a_deal_cut_short_while_scores_are_open_is_found() -> None:
    events = game(EARLY)
    index, _ = at(events, TrickTaken, 2)
    shown = at(events, HandShown)[0]
    assert_found([*events[: index + 1], PlayCut(), *events[shown:]], index + 1)


def test_a_deal_cut_short_where_it_is_played_out_is_found() -> None:
    events = game(EARLY, PlayCut)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    rules = replace(opened.rules, finish=parse_rules("black_lady").finish)
    told = put(events, 0, replace(opened, rules=rules))
    assert_found(told, at(events, PlayCut)[0])


def test_a_deal_played_on_though_no_card_can_change_a_score_is_found() -> None:
    events = game(EARLY, PlayCut)
    index, _ = at(events, PlayCut)
    assert_found(put(events, index), index)
    finding = audit(salted(events[:index])).finding
    assert finding is not None
    assert finding.kind is Kind.BROKEN_OFF


def test_a_deal_cut_short_with_a_bonus_still_out_is_found() -> None:
    events = game(EARLY, PlayCut, holds=jack_is_out)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    rules = parse_rules(EARLY.replace("black_lady", "omnibus"))
    told = put(events, 0, replace(opened, rules=rules))
    assert_found(told, at(events, PlayCut)[0])


def jack_is_out(events: Sequence[Event]) -> bool:
    """Whether the first deal is cut short with the jack of diamonds in hand."""
    index = at(events, PlayCut)[0]
    played = {str(event.card) for event in events[:index] if isinstance(event, CardPlayed)}
    return "JD" not in played and at(events, SecretRevealed)[0] > index


def test_what_these_games_are_is_clean_as_long_as_nobody_touches_them() -> None:
    for text in (KITTY, CENTRE, SCATTER, MOON, TWINS, EARLY):
        assert audit(signed(game(text))).clean
