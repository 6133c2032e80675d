"""The exceptions of carom."""

from __future__ import annotations

from typing import Any, Optional


class CaromError(Exception):
    """Whatever carom complains about."""

    def __init__(self, message: str, extra: Any = None):
        super().__init__(message, extra)
        self.message = message

    def __str__(self) -> str:
        return self.message


class ModelError(CaromError, ValueError):
    """Mistakes in a model.

    ``diagnostics`` has one dictionary per mistake: code, message, help, file, line, column.
    """

    def __init__(self, message: str, extra: Any = None):
        super().__init__(message, extra)
        self.diagnostics: list[dict[str, Any]] = list(extra or [])


class SettingsError(CaromError, ValueError):
    """A setting that cannot be used."""


class RunError(CaromError, RuntimeError):
    """A run that ended early.

    ``trajectory`` has what was computed until then; None if nothing was.
    """

    def __init__(self, message: str, extra: Any = None):
        super().__init__(message, extra)
        self.trajectory: Optional[Any] = extra


class CommandError(CaromError, RuntimeError):
    """A command that did not end well.

    ``code`` is its exit code, ``summary`` what it printed (see ``carom --help``); ``None`` if nothing.
    """

    def __init__(self, message: str, extra: Any = None):
        super().__init__(message, extra)
        code, summary = extra if extra else (None, None)
        self.code: Optional[int] = code
        self.summary: Optional[dict[str, Any]] = summary


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; ``trajectory`` has what was computed until then."""

    def __init__(self, message: str, extra: Any = None):
        super().__init__(message, extra)
        self.trajectory = extra

    def __str__(self) -> str:
        return str(self.args[0])
