"""Games played so far, on stderr: one line rewritten in a terminal, now and then elsewhere."""

from __future__ import annotations

import sys
import time

from dwarrow.benchmarks.campaign import Report


class Progress:
    """Reports a campaign: ``with Progress() as report``."""

    def __enter__(self) -> Report:
        """Begin to count."""
        self.begun = self.said = time.monotonic()
        self.first: int | None = None
        self.last = 0
        self.live = sys.stderr.isatty()
        return self._report

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """End the line; after Ctrl-C say that nothing is lost."""
        if self.live and self.first is not None:
            print(file=sys.stderr)
        if kind is KeyboardInterrupt:
            print("what was played is kept; the same command goes on from there", file=sys.stderr)

    def _report(self, done: int, most: int) -> None:
        now = time.monotonic()
        if self.first is None or done < self.last:  # another series has begun
            self.first, self.begun = done, now
        self.last = done
        if now - self.said < (0.2 if self.live else 15) and done < most:
            return
        self.said = now
        per_second = (done - self.first) / max(now - self.begun, 1e-9)
        left = f", at most {(most - done) / per_second:.0f} s left" if per_second > 0 else ""
        line = f"{done} of {most} games, {rate(per_second)}{left}"
        print(f"\r{line}   " if self.live else line, end="" if self.live else "\n", file=sys.stderr)
        sys.stderr.flush()


def rate(per_second: float) -> str:
    """Return a speed in words: searches may take minutes for a game."""
    return f"{per_second:.0f} games/s" if per_second >= 2 else f"{60 * per_second:.1f} games/min"
