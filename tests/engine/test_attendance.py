"""Who decides while people come and go, and what ends a game that nobody attends."""

from collections.abc import Callable
from random import Random

import pytest

from hearts_engine.attendance import MISSES, is_under_way, is_vacant
from hearts_engine.cards import PACK, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    ClaimRest,
    CloseGame,
    Command,
    Deal,
    FreezeSeats,
    MarkAway,
    MarkBack,
    OpenGame,
    PlayCard,
    RevealEntropy,
    SealLog,
    ShareCentre,
    ShowDeal,
    StartClocks,
    StopClocks,
    TakeOver,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    Absence,
    Agent,
    Anchor,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    FixedSeed,
    GameClosed,
    GameOpened,
    SeatAway,
    SeatBack,
    SeatKind,
    SeatTakenOver,
    SecretRevealed,
    StopCause,
)
from hearts_engine.options import Moon, MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.seating import LONGEST_NAME, LONGEST_TURN
from hearts_engine.state import Phase
from hearts_engine.testing import (
    SECRET,
    Recording,
    open_game,
    play_script,
    random_choice,
    random_pass,
)
from hearts_engine.value import replace
from hearts_engine.view import observe

S0, S1, S2 = Seat(0), Seat(1), Seat(2)
ANN = b"a" * 32
"""What Ann on seat 0 commits to."""

CLOSE = CloseGame(CloseCause.UNATTENDED, SECRET)


def started(rules: Rules | None = None) -> Recording:
    """Ann, a person, on seat 0, somebody's bot on seat 1, and house bots; the first deal waits."""
    rules = rules or Rules()
    game = open_game(rules, Anchor(bytes(32)))
    game.do(TakeSeat(S0, "Ann", SeatKind.PERSON, commitment=ANN))
    game.do(TakeSeat(S1, "Bob's", SeatKind.BOT))
    for seat in range(2, rules.players):
        game.do(TakeSeat(Seat(seat), f"house {seat}", SeatKind.HOUSE, "easy"))
    game.do(FreezeSeats())
    return game


def dealt(*passes: Direction) -> Recording:
    """The same, dealt for the first pass."""
    game = started(Rules(pass_cycle=passes or (Direction.LEFT,)))
    game.do(WithholdEntropy(S0))
    game.do(Deal(PACK))
    return game


def playing() -> Recording:
    """The same without a pass: seat 0 is on lead, holding the two of clubs."""
    return dealt(Direction.HOLD)


def moon() -> Recording:
    """Seat 0 holds all clubs and has taken every trick."""
    game = started(Rules(pass_cycle=(Direction.HOLD,), moon=Moon.CHOOSE))
    game.do(WithholdEntropy(S0))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    columns = zip(*hands, strict=True)
    play_script(game, hands, [], [card for column in columns for card in column])
    return game


def centre() -> Recording:
    game = dealt(Direction.SHUFFLE)
    while game.state.phase is Phase.PASSING:
        game.do(random_choice(game.state, Random(5)))
    return game


def showing() -> Recording:
    game = moon()
    game.do(ChooseMoon(S0, MoonChoice.ADD))
    return game


def play(game: Recording, by: Agent = Agent.SEAT) -> None:
    """One legal card of the seat on turn, decided by this agent."""
    seat = game.state.turn
    assert seat is not None
    game.do(PlayCard(seat, game.state.play.legal.lowest(), by))


def play_until(game: Recording, seat: Seat) -> None:
    """Legal cards, each by the seat on turn, until it is this seat's."""
    while game.state.turn != seat:
        play(game)


def missed(seat: Seat) -> Recording:
    """A game in which a seat's time ran out as often as it takes, and it is its turn."""
    game = playing()
    for _ in range(MISSES):
        play_until(game, seat)
        play(game, Agent.CLOCK)
    play_until(game, seat)
    return game


def refused(game: Recording, command: Command) -> Reason:
    """Why a command is refused, which must leave no trace."""
    before = game.state, list(game.events)
    with pytest.raises(Rejected) as caught:
        game.do(command)
    assert (game.state, game.events) == before
    return caught.value.reason


def card_of(game: Recording, by: Agent) -> PlayCard:
    seat = game.state.turn
    assert seat is not None
    return PlayCard(seat, game.state.play.legal.lowest(), by)


STAGES: dict[Phase, Callable[[], Recording]] = {
    Phase.ENTROPY: started,
    Phase.PASSING: dealt,
    Phase.CENTRE: centre,
    Phase.PLAYING: playing,
    Phase.MOON: moon,
    Phase.SHOWING: showing,
}
every_stage = pytest.mark.parametrize("phase", STAGES, ids=lambda phase: phase.name)


@every_stage
def test_people_come_and_go_at_any_time_in_a_game(phase: Phase) -> None:
    game = STAGES[phase]()
    assert game.state.phase is phase
    assert is_under_way(game.state)
    assert game.do(MarkAway(S0, Absence.LEFT)) == (SeatAway(S0, Absence.LEFT),)
    assert game.do(MarkBack(S0)) == (SeatBack(S0),)
    assert game.do(StopClocks(StopCause.HOST)) == (ClocksStopped(StopCause.HOST),)
    assert game.do(StartClocks()) == (ClocksStarted(),)
    zoe = SeatTakenOver(S2, "Zoe", SeatKind.PERSON)
    assert game.do(TakeOver(S2, "Zoe", SeatKind.PERSON)) == (zoe,)
    assert game.state.phase is phase, "and none of it is a move"


def test_whoever_gets_up_before_the_start_is_gone_and_not_away() -> None:
    game = open_game(Rules())
    game.do(TakeSeat(S0, "Ann", SeatKind.PERSON))
    assert not is_under_way(game.state)
    for command in (MarkAway(S0, Absence.LEFT), StopClocks(StopCause.HOST)):
        assert refused(game, command) is Reason.WRONG_PHASE


@pytest.mark.parametrize("seat", [-1, 4, 9])
def test_a_seat_that_the_table_has_not_neither_comes_nor_goes(seat: int) -> None:
    game, nobody = playing(), Seat(seat)
    for command in (
        MarkAway(nobody, Absence.LEFT),
        MarkBack(nobody),
        TakeOver(nobody, "Zoe", SeatKind.PERSON),
    ):
        assert refused(game, command) is Reason.NO_SUCH_SEAT


def test_a_seat_is_called_away_once_for_each_reason_that_is_stronger() -> None:
    game = missed(S0)
    order = list(Absence)
    for at, absence in enumerate(order):
        game.do(MarkAway(S0, absence))
        assert game.state.game.presence.away[S0] is absence
        for weaker in order[: at + 1]:
            assert refused(game, MarkAway(S0, weaker)) is Reason.SEAT_AWAY


def test_a_seat_that_let_its_time_run_out_once_still_decides_by_itself() -> None:
    game = playing()
    play(game, Agent.CLOCK)
    assert refused(game, MarkAway(S0, Absence.MISSED)) is Reason.SEAT_NOT_AWAY
    play_until(game, S0)
    assert refused(game, card_of(game, Agent.AUTOPILOT)) is Reason.SEAT_NOT_AWAY
    play(game)


def test_two_misses_in_a_row_make_a_seat_away() -> None:
    game = missed(S0)
    assert game.state.game.presence.misses == (2, 0, 0, 0)
    game.do(MarkAway(S0, Absence.MISSED))
    play(game, Agent.AUTOPILOT)
    assert game.state.game.presence.misses == (2, 0, 0, 0), "what is decided for it is no miss"


def test_a_card_of_its_own_between_them_makes_two_misses_one() -> None:
    game = playing()
    play(game, Agent.CLOCK)
    play_until(game, S0)
    play(game)
    play_until(game, S0)
    play(game, Agent.CLOCK)
    assert refused(game, MarkAway(S0, Absence.MISSED)) is Reason.SEAT_NOT_AWAY


def test_the_miss_of_another_seat_is_not_counted_against_this_one() -> None:
    game = playing()
    play(game, Agent.CLOCK)
    play_until(game, S1)
    play(game, Agent.CLOCK)
    assert game.state.game.presence.misses == (1, 1, 0, 0)
    for seat in (S0, S1):
        assert refused(game, MarkAway(seat, Absence.MISSED)) is Reason.SEAT_NOT_AWAY


def test_a_pass_is_a_decision_that_can_be_missed_and_made() -> None:
    game = dealt()
    cards = random_pass(game.state, S0, Random(1))
    game.do(ChoosePass(S0, cards, Agent.CLOCK))
    game.do(ChoosePass(S1, random_pass(game.state, S1, Random(1))))
    assert game.state.game.presence.misses == (1, 0, 0, 0)


def test_passing_by_itself_forgives_an_earlier_miss() -> None:
    game = started(Rules(pass_cycle=(Direction.HOLD, Direction.LEFT)))
    game.do(WithholdEntropy(S0))
    game.do(Deal(PACK))
    while game.state.phase is Phase.PLAYING:
        play(game, Agent.CLOCK)
    game.do(ShowDeal(SECRET))
    game.do(Deal(PACK))
    assert game.state.game.presence.misses[S0] == 13
    game.do(ChoosePass(S0, random_pass(game.state, S0, Random(1))))
    assert game.state.game.presence.misses[S0] == 0


@pytest.mark.parametrize("by", [Agent.SEAT, Agent.CLOCK])
def test_the_choice_of_a_moon_forgives_or_is_a_miss_like_any_other(by: Agent) -> None:
    game = started(Rules(pass_cycle=(Direction.HOLD,), moon=Moon.CHOOSE))
    game.do(WithholdEntropy(S0))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    game.do(Deal(tuple(card for column in zip(*hands, strict=True) for card in column)))
    while game.state.phase is Phase.PLAYING:
        play(game, Agent.CLOCK if len(game.state.play.tricks) == 12 else Agent.SEAT)
    assert game.state.game.presence.misses[S0] == 1
    game.do(ChooseMoon(S0, MoonChoice.ADD, by))
    assert game.state.game.presence.misses[S0] == (0 if by is Agent.SEAT else 2)


def test_claiming_the_rest_forgives_an_earlier_miss() -> None:
    game = started(Rules(pass_cycle=(Direction.HOLD,)))
    game.do(WithholdEntropy(S0))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    game.do(Deal(tuple(card for column in zip(*hands, strict=True) for card in column)))
    for _ in range(4):
        play(game, Agent.CLOCK)
    assert game.state.game.presence.misses == (1, 1, 1, 1)
    game.do(ClaimRest(S0))
    assert game.state.game.presence.misses == (0, 1, 1, 1)


def test_a_seat_that_is_away_decides_nothing_by_itself_or_by_the_clock() -> None:
    game = playing()
    game.do(MarkAway(S0, Absence.LEFT))
    for by in (Agent.SEAT, Agent.CLOCK):
        assert refused(game, card_of(game, by)) is Reason.SEAT_AWAY
    assert refused(game, ClaimRest(S0)) is Reason.SEAT_AWAY
    play(game, Agent.AUTOPILOT)


def test_autopilot_decides_for_nobody_who_is_there() -> None:
    assert refused(playing(), card_of(playing(), Agent.AUTOPILOT)) is Reason.SEAT_NOT_AWAY
    game = dealt()
    passed = ChoosePass(S0, random_pass(game.state, S0, Random(1)), Agent.AUTOPILOT)
    assert refused(game, passed) is Reason.SEAT_NOT_AWAY
    choice = ChooseMoon(S0, MoonChoice.ADD, Agent.AUTOPILOT)
    assert refused(moon(), choice) is Reason.SEAT_NOT_AWAY


def test_the_pass_and_the_moon_of_a_seat_that_is_away_are_autopilots() -> None:
    game = dealt()
    game.do(MarkAway(S0, Absence.LEFT))
    cards = random_pass(game.state, S0, Random(1))
    assert refused(game, ChoosePass(S0, cards)) is Reason.SEAT_AWAY
    game.do(ChoosePass(S0, cards, Agent.AUTOPILOT))
    shot = moon()
    shot.do(MarkAway(S0, Absence.REMOVED))
    assert refused(shot, ChooseMoon(S0, MoonChoice.ADD)) is Reason.SEAT_AWAY
    shot.do(ChooseMoon(S0, MoonChoice.ADD, Agent.AUTOPILOT))


def test_the_absence_of_one_seat_is_no_other_seats() -> None:
    game = playing()
    game.do(MarkAway(S1, Absence.LEFT))
    assert refused(game, card_of(game, Agent.AUTOPILOT)) is Reason.SEAT_NOT_AWAY
    play(game)


@pytest.mark.parametrize("absence", [Absence.MISSED, Absence.LEFT])
def test_an_owner_who_is_back_decides_again_and_begins_without_misses(absence: Absence) -> None:
    game = missed(S0)
    game.do(MarkAway(S0, absence))
    game.do(MarkBack(S0))
    assert game.state.game.presence.misses == (0, 0, 0, 0)
    assert refused(game, card_of(game, Agent.AUTOPILOT)) is Reason.SEAT_NOT_AWAY
    assert refused(game, MarkAway(S0, Absence.MISSED)) is Reason.SEAT_NOT_AWAY
    play(game)


def test_an_owner_who_was_removed_does_not_come_back() -> None:
    game = playing()
    game.do(MarkAway(S0, Absence.REMOVED))
    assert refused(game, MarkBack(S0)) is Reason.SEAT_AWAY


def test_nobody_comes_back_who_is_there() -> None:
    assert refused(playing(), MarkBack(S0)) is Reason.SEAT_NOT_AWAY


def test_only_a_seat_that_is_played_for_nobody_is_taken_over() -> None:
    game = missed(S0)
    for absence in (Absence.MISSED, Absence.LEFT):
        game.do(MarkAway(S0, absence))
        assert not is_vacant(game.state, S0)
        assert refused(game, TakeOver(S0, "Zoe", SeatKind.PERSON)) is Reason.SEAT_OCCUPIED
    assert refused(game, TakeOver(S1, "Zoe", SeatKind.PERSON)) is Reason.SEAT_OCCUPIED
    game.do(MarkAway(S0, Absence.REMOVED))
    for seat, whose in ((S0, "of somebody removed"), (S2, "of a house bot")):
        assert is_vacant(game.state, seat), whose
        game.do(TakeOver(seat, "Zoe", SeatKind.PERSON))
        assert not is_vacant(game.state, seat)
        assert refused(game, TakeOver(seat, "Eve", SeatKind.PERSON)) is Reason.SEAT_OCCUPIED


def test_whoever_takes_a_seat_over_decides_and_begins_without_misses() -> None:
    game = missed(S0)
    game.do(MarkAway(S0, Absence.REMOVED))
    game.do(TakeOver(S0, "Zoe", SeatKind.BOT))
    taken = game.state.game.seats[S0]
    assert taken is not None
    assert (taken.name, taken.kind, taken.bot) == ("Zoe", SeatKind.BOT, "")
    assert game.state.game.presence.misses == (0, 0, 0, 0)
    play(game)


def test_what_a_seat_committed_to_stays_whoever_takes_it_over() -> None:
    game = started()
    game.do(MarkAway(S0, Absence.REMOVED))
    game.do(TakeOver(S0, "Zoe", SeatKind.PERSON))
    taken = game.state.game.seats[S0]
    assert taken is not None
    assert taken.commitment == ANN
    assert game.state.game.owing == (S0,), "so the first deal still waits for it"
    game.do(RevealEntropy(S0, b"e" * 32))
    game.do(Deal(PACK))


def test_a_house_bot_takes_over_nothing() -> None:
    assert refused(playing(), TakeOver(S2, "Ada", SeatKind.HOUSE)) is Reason.BAD_KIND


@pytest.mark.parametrize("name", ["", "  ", "x" * (LONGEST_NAME + 1), "a\nb", "a\x1b[2J"])
def test_whoever_takes_a_seat_over_has_a_name_like_anyone(name: str) -> None:
    assert refused(playing(), TakeOver(S2, name, SeatKind.PERSON)) is Reason.BAD_NAME


@pytest.mark.parametrize("by", Agent)
def test_in_a_pause_nobody_decides_anything(by: Agent) -> None:
    for game, command in (
        (playing(), card_of(playing(), by)),
        (dealt(), ChoosePass(S0, random_pass(dealt().state, S0, Random(1)), by)),
        (moon(), ChooseMoon(S0, MoonChoice.ADD, by)),
    ):
        if by is Agent.AUTOPILOT:
            game.do(MarkAway(S0, Absence.LEFT))
        game.do(StopClocks(StopCause.HOST))
        assert refused(game, command) is Reason.PAUSED
        game.do(StartClocks())
        game.do(command)


def test_in_a_pause_the_rest_cannot_be_claimed_and_nobody_is_asked() -> None:
    game = playing()
    assert observe(game.state, S0).asked
    game.do(StopClocks(StopCause.HOST))
    assert refused(game, ClaimRest(S0)) is Reason.PAUSED
    assert not observe(game.state, S0).asked
    asked = moon()
    asked.do(StopClocks(StopCause.HOST))
    assert not observe(asked.state, S0).asked


def test_in_a_pause_people_still_come_and_go() -> None:
    game = playing()
    game.do(StopClocks(StopCause.HOST))
    game.do(MarkAway(S0, Absence.REMOVED))
    game.do(TakeOver(S0, "Zoe", SeatKind.PERSON))
    assert game.state.game.presence.stopped is StopCause.HOST


@pytest.mark.parametrize("cause", [StopCause.ABSENCE, StopCause.RESTART])
def test_while_no_person_is_there_bots_play_on(cause: StopCause) -> None:
    game = playing()
    game.do(StopClocks(cause))
    for _ in range(5):
        play(game)


def test_time_is_stopped_once_for_each_cause_and_a_pause_covers_all() -> None:
    game = playing()
    assert refused(game, StartClocks()) is Reason.WRONG_PHASE
    for cause in (StopCause.ABSENCE, StopCause.RESTART, StopCause.ABSENCE, StopCause.HOST):
        game.do(StopClocks(cause))
        assert game.state.game.presence.stopped is cause
        assert refused(game, StopClocks(cause)) is Reason.WRONG_PHASE
    for cause in StopCause:
        assert refused(game, StopClocks(cause)) is Reason.WRONG_PHASE
    game.do(StartClocks())
    assert game.state.game.presence.stopped is None


@every_stage
def test_a_game_given_up_reveals_what_its_deal_came_from(phase: Phase) -> None:
    game = STAGES[phase]()
    happened = game.do(CLOSE)
    closed = GameClosed(CloseCause.UNATTENDED)
    revealed = () if phase is Phase.ENTROPY else (SecretRevealed(1, SECRET),)
    assert happened == (*revealed, closed)
    assert game.state.phase is Phase.ENDED
    assert game.state.game.closed == closed
    assert game.state.game.ended is None, "nobody wins"


def test_between_two_deals_there_is_no_secret_left_to_reveal() -> None:
    game = showing()
    game.do(ShowDeal(SECRET))
    assert game.state.phase is Phase.DEALING
    assert game.do(CLOSE) == (GameClosed(CloseCause.UNATTENDED),)


def test_a_game_is_given_up_also_before_it_starts_and_in_a_pause() -> None:
    game = open_game(Rules())
    assert game.do(CLOSE) == (GameClosed(CloseCause.UNATTENDED),)
    paused = playing()
    paused.do(StopClocks(StopCause.HOST))
    paused.do(CLOSE)


def test_after_a_game_is_given_up_nothing_comes_but_the_seal() -> None:
    game = playing()
    card = card_of(game, Agent.SEAT)
    game.do(CLOSE)
    for command in (
        card,
        CLOSE,
        MarkAway(S0, Absence.LEFT),
        MarkBack(S0),
        TakeOver(S2, "Zoe", SeatKind.PERSON),
        StopClocks(StopCause.HOST),
        StartClocks(),
        Deal(PACK),
        ShareCentre(PACK[:12]),
        ShowDeal(SECRET),
    ):
        assert refused(game, command) is Reason.WRONG_PHASE, command
    game.do(SealLog(bytes(64)))
    assert refused(game, CLOSE) is Reason.WRONG_PHASE
    assert not is_under_way(game.state)


@pytest.mark.parametrize("seconds", [-1, LONGEST_TURN + 1])
def test_a_clock_that_nobody_could_play_on_opens_no_game(seconds: int) -> None:
    fine = OpenGame("game", "oak-1", Rules(), FixedSeed("test"), bytes(32))
    for opening in (replace(fine, turn_seconds=seconds), replace(fine, bot_seconds=seconds)):
        with pytest.raises(Rejected) as caught:
            decide(None, opening)
        assert caught.value.reason is Reason.BAD_CLOCK


def test_record_1_says_how_long_a_turn_lasts() -> None:
    fine = OpenGame("game", "oak-1", Rules(), FixedSeed("test"), bytes(32))
    (opened,) = decide(None, replace(fine, turn_seconds=LONGEST_TURN, bot_seconds=1))
    assert isinstance(opened, GameOpened)
    assert (opened.turn_seconds, opened.bot_seconds) == (LONGEST_TURN, 1)
