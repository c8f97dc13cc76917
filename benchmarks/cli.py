"""The command line: ``dwarrow VERB ...``.

A verb is a module in one of the `PACKAGES` below. Its docstring's first line is the help text; its
function ``run(arguments) -> exit code or None`` does the work. What a user got wrong is raised as
ValueError, KeyError or OSError and becomes one line and exit code 2.
"""

from __future__ import annotations

import ast
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

PACKAGES = ["dwarrow.training.commands", "dwarrow.benchmarks.commands"]
"""Where verbs lie."""

WRONG_USE = 2
INTERRUPTED = 130


def verbs() -> dict[str, str]:
    """Return verb -> module, sorted; nothing but the packages is imported."""
    found = {
        module.name.replace("_", "-"): f"{package}.{module.name}"
        for package in PACKAGES
        for module in pkgutil.iter_modules(import_module(package).__path__)
        if not module.name.startswith("_")
    }
    return dict(sorted(found.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the verb that `arguments` (default: the process's own) name; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    known = verbs()
    if not given or given[0] in ("-h", "--help", "help"):
        print(_help(known))
        return 0
    if given[0] == "--version":
        print(f"dwarrow {version('dwarrow')}")
        return 0
    verb, rest = given[0], given[1:]
    if verb not in known:
        return _refuse(f"dwarrow: unknown verb {verb!r}: known are {', '.join(known)}")
    try:
        return import_module(known[verb]).run(rest) or 0
    except (ValueError, KeyError, OSError) as error:
        if os.environ.get("DWARROW_TRACEBACK"):
            raise
        return _refuse(f"dwarrow {verb}: {_in_words(error)}")
    except KeyboardInterrupt:
        print(f"dwarrow {verb}: interrupted", file=sys.stderr)
        return INTERRUPTED


def _in_words(error: Exception) -> str:
    if isinstance(error, KeyError) and error.args:
        return str(error.args[0])
    if isinstance(error, OSError) and error.filename and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _refuse(line: str) -> int:
    print(line, file=sys.stderr)
    return WRONG_USE


def _help(known: dict[str, str]) -> str:
    lines = ["usage: dwarrow VERB [arguments]", "", "verbs (dwarrow VERB --help says more):"]
    lines += [f"  {verb:<12} {_summary(module)}" for verb, module in known.items()]
    lines += ["", "dwarrow --version says which this is."]
    lines += ["DWARROW_TRACEBACK=1 shows where an error came from."]
    return "\n".join(lines)


def _summary(module: str) -> str:
    """Return the first line of a verb's docstring without importing it (and torch with it)."""
    package, _, name = module.rpartition(".")
    folder = Path(next(iter(import_module(package).__path__)))
    source = folder / f"{name}.py"
    if not source.exists():
        source = folder / name / "__init__.py"
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return text.split("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
