"""Write the golden playthroughs and counts again: ``make traces [ARGS=GAME]``; review the diff."""

import sys

import counts
from traces import FOLDER, settings, trace

from dwarrow.envs import game, games


def main() -> None:
    """Write the traces of the games named, or of all."""
    for name in sys.argv[1:] or games():
        folder = FOLDER / name / "traces"
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.txt"):
            old.unlink()
        for title, header in settings(game(name)):
            text = "\n".join(trace(header)) + "\n"
            (folder / f"{title}.txt").write_text(text, encoding="utf-8")
        counts.write([game(name)])
        print(f"{name}: {len(list(folder.glob('*.txt')))} traces in {folder}")


if __name__ == "__main__":
    main()
