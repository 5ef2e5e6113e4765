"""How often, and how often in vain: nobody gains by a crowd, a set-back clock or patience."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_server.clocks import later
from hearts_server.rates import FORGOTTEN_AFTER, LONGEST_WAIT, Bucket, Buckets, Rate, Tries
from hearts_server.testing.premises import MIDNIGHT

SECOND = timedelta(seconds=1)


def taken(bucket: Bucket, now: int, tries: int = 1_000) -> int:
    """How often something can be taken at this moment."""
    return sum(bucket.take(now) for _ in range(tries))


@pytest.mark.parametrize("count", [1, 3, 7, 200, 1_000])
def test_a_bucket_gives_its_count_at_once_and_the_same_again_after_its_time(count: int) -> None:
    bucket = Bucket(Rate.a_second(count))
    assert taken(bucket, MIDNIGHT, count + 5) == count
    assert taken(bucket, later(MIDNIGHT, SECOND), count + 5) == count


def test_a_bucket_fills_evenly() -> None:
    bucket = Bucket(Rate.a_minute(6))
    taken(bucket, MIDNIGHT)
    assert taken(bucket, later(MIDNIGHT, 10 * SECOND)) == 1
    assert taken(bucket, later(MIDNIGHT, 30 * SECOND)) == 2
    assert taken(bucket, later(MIDNIGHT, 39 * SECOND)) == 0


def test_an_empty_bucket_says_when_there_is_something_in_it() -> None:
    bucket = Bucket(Rate.a_minute(6))
    assert bucket.ready_at(MIDNIGHT) == MIDNIGHT
    taken(bucket, MIDNIGHT)
    ready = bucket.ready_at(MIDNIGHT)
    assert ready == later(MIDNIGHT, 10 * SECOND)
    assert not bucket.take(ready - 1)
    assert bucket.take(ready)


def test_a_clock_that_is_set_back_locks_nobody_out_for_longer_than_the_period() -> None:
    bucket = Bucket(Rate.a_second(5))
    taken(bucket, MIDNIGHT)
    earlier = later(MIDNIGHT, timedelta(days=-1))
    assert not bucket.take(earlier)
    assert bucket.ready_at(earlier) <= later(earlier, SECOND)
    assert taken(bucket, later(earlier, SECOND)) == 5


@given(
    st.integers(1, 50),
    st.lists(st.integers(0, 400_000), max_size=300),
)
def test_in_no_stretch_of_time_is_more_taken_than_count_and_what_has_come_since(
    count: int, steps: list[int]
) -> None:
    bucket, now, moments = Bucket(Rate.a_second(count)), MIDNIGHT, list[int]()
    for step in steps:
        now += step
        if bucket.take(now):
            moments.append(now)
    one = 1_000_000 // count
    for index, start in enumerate(moments):
        for after, end in enumerate(moments[index:], start=1):
            assert after <= 1_000_000 // one + (end - start) // one + 1


def test_a_spray_of_addresses_takes_no_more_memory_than_is_set_aside() -> None:
    buckets, rate = Buckets[int](most=100), Rate.a_second(2)
    for address in range(10_000):
        assert buckets.take(address, rate, MIDNIGHT)
    assert len(buckets) <= 100


def test_who_asks_all_the_time_is_not_forgotten_among_those_who_asked_once() -> None:
    buckets, rate = Buckets[int](most=100), Rate.a_second(2)
    assert buckets.take(-1, rate, MIDNIGHT)
    assert buckets.take(-1, rate, MIDNIGHT)
    for address in range(1_000):
        assert not buckets.take(-1, rate, MIDNIGHT)
        assert buckets.take(address, rate, MIDNIGHT)


def test_full_buckets_are_the_first_to_be_forgotten() -> None:
    buckets, rate, now = Buckets[str](most=8), Rate.a_second(1), later(MIDNIGHT, SECOND)
    for number in range(4):
        buckets.take(f"early {number}", rate, MIDNIGHT)
    for number in range(5):
        buckets.take(f"late {number}", rate, now)
    assert len(buckets) == 5
    assert not any(buckets.take(f"late {number}", rate, now) for number in range(5))


def test_wrong_tries_are_free_at_first_and_then_wait_twice_as_long_each_time() -> None:
    tries, now, waits = Tries[str](free=3), MIDNIGHT, list[int]()
    for _ in range(14):
        tries.failed("eve", now)
        wait = tries.wait("eve", now)
        waits.append(wait // SECOND)
        now = later(now, wait)
    assert waits == [0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    assert tries.wait("ann", now) == timedelta(0)


def test_the_right_guess_or_an_hour_makes_wrong_ones_forgotten() -> None:
    tries, now = Tries[str](free=1), MIDNIGHT
    for name in ("ann", "eve"):
        tries.failed(name, now)
        assert tries.wait(name, now) == SECOND
    tries.passed("ann")
    assert tries.wait("ann", now) == timedelta(0)
    now = later(now, FORGOTTEN_AFTER + 3 * SECOND)
    tries.failed("eve", now)
    assert tries.wait("eve", now) == SECOND, "the first of a new row, not the second"


def test_tries_take_no_more_memory_than_is_set_aside_and_never_wait_beyond_the_longest() -> None:
    tries = Tries[int](free=1, most=50)
    for address in range(1_000):
        tries.failed(address, MIDNIGHT)
    assert len(tries) <= 50
    earlier = later(MIDNIGHT, timedelta(days=-400))
    assert all(tries.wait(address, earlier) <= LONGEST_WAIT for address in range(1_000))
