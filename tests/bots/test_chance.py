"""Carelessness that is the same everywhere."""

from dataclasses import replace
from hashlib import sha256

from hearts_bots.chance import pick, roll
from hearts_engine.cards import Seat
from hearts_engine.rules import Rules
from hearts_engine.testing import seated
from hearts_engine.view import SeatView, observe


def view() -> SeatView:
    return observe(seated(Rules()).state, Seat(2))


def test_a_roll_is_fixed_by_seed_seat_deal_trick_and_purpose_alone() -> None:
    digest = sha256(b"demo\x002\x000\x000\x00lead").digest()
    assert roll("demo", view(), "lead", 1000) == int.from_bytes(digest[:8], "big") % 1000


def test_rolls_differ_by_each_part_of_the_moment() -> None:
    now = view()
    sides = 10**9
    rolls = {
        roll("demo", now, "lead", sides),
        roll("other", now, "lead", sides),
        roll("demo", now, "pass", sides),
        roll("demo", replace(now, deal=5), "lead", sides),
        roll("demo", replace(now, seat=Seat(1)), "lead", sides),
    }
    assert len(rolls) == 5


def test_every_side_comes_up() -> None:
    rolls = {roll(f"seed {n}", view(), "lead", 6) for n in range(200)}
    assert rolls == set(range(6))


def test_every_item_is_picked_now_and_then() -> None:
    assert {pick(f"seed {n}", view(), "suit", "abc") for n in range(60)} == set("abc")
