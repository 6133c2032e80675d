"""``python -m carom``: the command line."""

import signal
import sys

from . import _carom


def main() -> int:
    """Runs the command line; the exit code."""
    # Commands listen to Ctrl-C themselves, or end at once.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _carom.main(sys.argv[1:], [sys.executable, "-m", "carom"])


if __name__ == "__main__":
    sys.exit(main())
