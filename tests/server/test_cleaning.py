"""Names and chat lose what cannot be seen, whoever sent them; what is left is what was meant."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_server.cleaning import cleaned, line_of, name_of
from hearts_server.errors import Refused


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("李雷", "李雷"),
        ("a\u202eb", "ab"),
        ("a\u2066b\u2069", "ab"),
        ("a\u200bb", "ab"),
        ("\x1b[31mred", "[31mred"),
        ("a\r\nb", "a b"),
        ("a\u2028b", "a b"),
        ("  Ann \t\u00a0 Lee ", "Ann Lee"),
        ("👩\u200d🚀ace", "👩🚀ace"),
        ("❤\ufe0f", "❤"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
        ("a\u0301\u0323\u0316\u0317\u0318b", "ạ\u0316\u0317b"),
        ("\u3164\u115f\u2800", ""),
        ("\ue000\ud7ff\uffff", ""),
        ("नमस्ते", "नमस्ते"),
        ("สวัสดี", "สวัสดี"),
    ],
)
def test_what_can_be_seen_stays(text: str, kept: str) -> None:
    assert cleaned(text) == unicodedata.normalize("NFC", kept)


@given(st.text())
def test_whatever_is_left_can_be_printed_on_one_line_and_is_clean(text: str) -> None:
    once = cleaned(text)
    assert once.isprintable()
    assert once == once.strip()
    assert cleaned(once) == once


@pytest.mark.parametrize("text", ["", " ", "\u200b", "\u202e\u200d", "x" * 33, "e\u0301" * 33])
def test_a_name_of_nothing_or_too_much_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="1 to 32 characters that can be seen") as refusal:
        name_of(text, 32)
    assert refusal.value.reason == "BAD_NAME"


def test_a_name_of_as_much_as_may_be_seen_is_taken_whatever_hides_in_it() -> None:
    assert name_of("\u202eé" * 32, 32) == "é" * 32


def test_a_line_of_chat_is_cleaned_and_measured_alike() -> None:
    assert line_of("good\u202e luck\n", 200) == "good luck"
    for text in ("\u200b", "x" * 201):
        with pytest.raises(Refused, match="1 to 200 characters that can be seen"):
            line_of(text, 200)


def test_marks_without_end_do_not_hold_the_server_up() -> None:
    text = "a" + "\u0301\u0323" * 16_000  # to sort these takes a second
    started = time.process_time()
    with pytest.raises(Refused):
        name_of(text, 32)
    with pytest.raises(Refused):
        line_of(text, 200)
    assert time.process_time() - started < 0.2
