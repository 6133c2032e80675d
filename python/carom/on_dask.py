"""Parts of a sweep on Dask, whose workers may die at any moment.

Parts are the client's own futures, not those of its ``concurrent.futures`` face: there, a result that is lost between the
end of its computation and its arrival can leave a future that never ends. Nothing here waits without a limit::

    submit all -> look which ended -> fetch those, for a limited time -> lost on the way: submit again under another key
"""

from __future__ import annotations

import time
import uuid
from typing import Any, Callable, Iterator, Sequence, Union

#: Seconds between two looks at the states of parts; they are known here, nobody is asked.
_GLANCE = 0.02
#: Seconds in which a finished part should arrive.
_ARRIVAL = 10.0
#: Seconds without news after which the scheduler is asked for parts whose end was not heard of.
_SILENCE = 10.0
#: How often a part is computed before its loss is an error.
_TRIES = 5


def computed(
    client: Any, function: Callable[[str, int], bytes], text: str, parts: Sequence[int]
) -> Iterator[tuple[int, Union[bytes, Exception]]]:
    """Every part with its bytes, or with what went wrong, in the order in which they end."""
    pending: dict[Any, int] = {}
    tries: dict[int, int] = {}

    def begin(part: int) -> None:
        tries[part] = tries.get(part, 0) + 1
        key = f"carom-part-{part}-{uuid.uuid4().hex}"
        pending[client.submit(function, text, part, key=key, pure=False)] = part

    try:
        for part in parts:
            begin(part)
        heard = time.monotonic()
        while pending:
            ended = [future for future in pending if future.status in ("finished", "error", "cancelled")]
            if not ended and time.monotonic() - heard > _SILENCE:
                ended, heard = _unheard(client, pending), time.monotonic()
            for future in ended:
                part = pending.pop(future)
                outcome = _fetch(future)
                if outcome is not None:
                    heard = time.monotonic()
                    yield part, outcome
                elif future.status in ("pending", "lost"):  # its worker died: another one computes it
                    pending[future] = part
                elif tries[part] < _TRIES:
                    begin(part)
                else:
                    yield part, RuntimeError(f"part {part} was computed {_TRIES} times, but did not arrive")
            if not ended:
                time.sleep(_GLANCE)
    finally:
        if pending:
            client.cancel(list(pending))


def _fetch(future: Any) -> Union[bytes, Exception, None]:
    """Bytes of a part, or what went wrong; nothing if it does not arrive."""
    try:
        return future.result(timeout=_ARRIVAL)
    except Exception as error:
        is_late = isinstance(error, TimeoutError) or type(error).__name__ == "TimeoutError"
        return None if is_late and future.status != "error" else error


def _unheard(client: Any, pending: dict[Any, int]) -> list[Any]:
    """Parts that are computed according to the scheduler, though nobody said so here."""
    places = client.who_has(list(pending))
    return [future for future in pending if places.get(future.key)]
