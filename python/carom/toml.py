"""TOML as carom writes it: sections of numbers, texts, lists and tables."""

from __future__ import annotations

import json
import re
from typing import Any, Mapping

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def write(sections: Mapping[str, Any]) -> str:
    """The text of a file: single values first, then tables, then lists of tables."""
    plain = {k: v for k, v in sections.items() if not isinstance(v, Mapping) and not _is_list_of_tables(v)}
    lines = [f"{_key(name)} = {_value(value)}" for name, value in plain.items()]
    for name, entries in sections.items():
        if isinstance(entries, Mapping):
            lines += ["", f"[{_key(name)}]"]
            lines += [f"{_key(key)} = {_value(value)}" for key, value in entries.items()]
        elif _is_list_of_tables(entries):
            for entry in entries:
                lines += ["", f"[[{_key(name)}]]"]
                lines += [f"{_key(key)} = {_value(value)}" for key, value in entry.items()]
    return "\n".join(lines) + "\n"


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _key(name: str) -> str:
    return name if _BARE.match(name) else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    raise TypeError(f"{value!r} cannot stand in a model: numbers, texts, expressions, lists and dictionaries can")


def _number(value: float) -> str:
    text = repr(value)
    if text in ("inf", "-inf", "nan"):
        raise TypeError(f"{text} cannot stand in a model")
    # TOML wants a point or an exponent with digits before it.
    return text if any(c in text for c in ".e") else text + ".0"
