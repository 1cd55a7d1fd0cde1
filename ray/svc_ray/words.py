"""How svc writes lists in sentences."""

from __future__ import annotations


def list_words(words: list[str]) -> str:
    """`a, b and c`"""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
