"""Map the top-level folders to subpackages of `dwarrow`; everything else is in pyproject.toml.

The folder front/ is `dwarrow` itself: a folder of that name would hide the installed package from
whoever works in this one. Every other folder that holds an `__init__.py`, as do its parents, is a
package: no list to keep up.
"""

from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
FRONT = "front"
TOP = ("envs", "agents", "training", "benchmarks")

found = find_packages(str(ROOT), include=[pattern for top in TOP for pattern in (top, f"{top}.*")])
setup(
    packages=["dwarrow", *(f"dwarrow.{name}" for name in found)],
    package_dir={"dwarrow": FRONT, **{f"dwarrow.{top}": top for top in TOP if top in found}},
)
