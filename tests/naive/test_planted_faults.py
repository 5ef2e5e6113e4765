"""Faults of the kinds that other programs had, planted in the engine: each of them must show."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from naive_hearts import Illegal
from side_by_side import compare

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.claim import takes_the_rest
from hearts_engine.ending import is_settled
from hearts_engine.errors import Rejected
from hearts_engine.events import DealScored
from hearts_engine.options import Twins
from hearts_engine.passing import Direction, lowest_club_seat, parcels
from hearts_engine.play import Play
from hearts_engine.rules import Rules
from hearts_engine.takings import Taking
from hearts_engine.trick import winning_place


class Fault(NamedTuple):
    """What is wrong, and rules under which it shows."""

    name: str
    text: str
    plant: Callable[[pytest.MonkeyPatch], None]


def _twins_win(patch: pytest.MonkeyPatch) -> None:
    def winning(cards: tuple[Card, ...], _twins: Twins) -> int | None:
        return winning_place(cards, Twins.FIRST_WINS)

    patch.setattr("hearts_engine.playing.winning_place", winning)


def _carried_cards_cost_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Play, "carried", ())


def _kitty_waits_for_the_last_trick(patch: pytest.MonkeyPatch) -> None:
    def comes(_cards: Sequence[Card], _rules: Rules, *, last: bool) -> bool:
        return last

    patch.setattr("hearts_engine.playing.comes_with", comes)


def _moon_may_lack_cards(patch: pytest.MonkeyPatch) -> None:
    def shooter(taken: tuple[Taking, ...], rules: Rules) -> Seat | None:
        enough = len(rules.penalties) - 6
        seats = zip(SEATS, taken, strict=False)
        near = (seat for seat, its in seats if len(its.cards & rules.penalties) >= enough)
        return next(near, None)

    patch.setattr("hearts_engine.scoring.moon_shooter", shooter)


def _bonus_is_never_given(patch: pytest.MonkeyPatch) -> None:
    def nothing(_rules: Rules, _cards: CardSet) -> int:
        return 0

    patch.setattr(Rules, "bonus_of", nothing)


def _target_must_be_passed(patch: pytest.MonkeyPatch) -> None:
    def over(scored: DealScored, rules: Rules) -> bool:
        return max(scored.totals) > rules.target

    patch.setattr("hearts_engine.scoring._is_over", over)


def _cards_scatter_backwards(patch: pytest.MonkeyPatch) -> None:
    def backwards(
        giver: Seat, cards: Sequence[Card], direction: Direction, players: int
    ) -> tuple[tuple[Seat, CardSet], ...]:
        return parcels(giver, tuple(reversed(cards)), direction, players)

    patch.setattr("hearts_engine.dealing.parcels", backwards)


def _another_seat_leads_first(patch: pytest.MonkeyPatch) -> None:
    def other(hands: Sequence[CardSet], first: Seat) -> Seat:
        return SEATS[(lowest_club_seat(hands, first) + 1) % len(hands)]

    patch.setattr("hearts_engine.dealing.lowest_club_seat", other)


def _top_spades_are_passed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("hearts_engine.dealing.KEPT_SPADES", CardSet())


def _discards_break_nothing(patch: pytest.MonkeyPatch) -> None:
    right = Play.with_card

    def with_card(play: Play, seat: Seat, card: Card, rules: Rules) -> Play:
        after = right(play, seat, card, rules)
        return replace(after, hearts_broken=play.hearts_broken) if play.cards else after

    patch.setattr(Play, "with_card", with_card)


def _leader_takes_every_trick(patch: pytest.MonkeyPatch) -> None:
    right = Play.taken_by

    def taken_by(play: Play, _taker: Seat, points: int, rules: Rules) -> Play:
        return right(play, play.leader, points, rules)

    patch.setattr(Play, "taken_by", taken_by)


def _claims_overlook_the_highest_card(patch: pytest.MonkeyPatch) -> None:
    def overlooked(hand: CardSet, unseen: CardSet) -> bool:
        return takes_the_rest(hand, unseen.remove(unseen.highest()) if unseen else unseen)

    patch.setattr("hearts_engine.playing.takes_the_rest", overlooked)


def _bonus_is_left_out(patch: pytest.MonkeyPatch) -> None:
    def settled(play: Play, rules: Rules) -> bool:
        return is_settled(play, rules) or sum(play.points) == rules.penalty_total

    patch.setattr("hearts_engine.playing.is_settled", settled)


FAULTS = (
    Fault("twins win", "cancellation", _twins_win),
    Fault("carried cards cost nothing", "cancellation", _carried_cards_cost_nothing),
    Fault("the kitty waits", "cancellation", _kitty_waits_for_the_last_trick),
    Fault("a moon may lack cards", "three target=500", _moon_may_lack_cards),
    Fault("a bonus card earns nothing", "omnibus", _bonus_is_never_given),
    Fault("the target must be passed", "black_lady target=26", _target_must_be_passed),
    Fault("cards scatter backwards", "black_lady pass_cycle=scatter", _cards_scatter_backwards),
    Fault("another seat leads first", "black_lady", _another_seat_leads_first),
    Fault("top spades are passed", "black_lady keep_top_spades=true", _top_spades_are_passed),
    Fault("discards break nothing", "black_lady", _discards_break_nothing),
    Fault("the leader takes every trick", "black_lady", _leader_takes_every_trick),
    Fault("claims overlook a card", "six", _claims_overlook_the_highest_card),
    Fault("a bonus card is left out", "omnibus finish=early", _bonus_is_left_out),
)


def compare_games(text: str, games: int) -> None:
    for seed in range(games):
        compare(text, seed, deals=4)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_planted_in_the_engine_shows(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault.plant(monkeypatch)
    with pytest.raises((AssertionError, Rejected, Illegal)):
        compare_games(fault.text, 60)


@pytest.mark.parametrize("text", sorted({fault.text for fault in FAULTS}))
def test_without_a_fault_nothing_shows(text: str) -> None:
    compare_games(text, 2)
