"""Kernels without reference counts are safe as long as borrowed arrays stay with borrowers."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numba.core.errors import NumbaError

import dwarrow.agents
import dwarrow.benchmarks
import dwarrow.envs
import dwarrow.training
from dwarrow.envs.core.kernels import kernel

SCALARS = {"None", "int", "bool", "float", "np.uint64", "tuple[float, int]"}


def kernels() -> Iterator[Any]:
    """Yield every kernel of the project that can be imported here."""
    for package in (dwarrow.envs, dwarrow.agents, dwarrow.training, dwarrow.benchmarks):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith("__main__"):
                continue
            try:
                found = importlib.import_module(module.name)
            except ImportError:  # an optional library is missing
                continue
            for value in vars(found).values():
                if hasattr(value, "py_func"):
                    yield value


def counts(function: Any) -> bool:
    return bool(function.targetoptions["_nrt"])


def test_no_counting_kernel_takes_an_array_from_a_borrowing_one():
    found = list(kernels())
    assert len(found) > 1000
    lenders = {
        k.py_func.__name__
        for k in found
        if not counts(k) and k.py_func.__annotations__["return"] not in SCALARS
    }
    for k in found:
        if counts(k):
            assert lenders.isdisjoint(k.py_func.__code__.co_names), k.py_func


@kernel
def fresh_sum(n: int) -> int:
    total = 0
    for value in np.arange(n):
        total += value
    return total


@kernel
def borrowed_sum(numbers: Any) -> int:
    total = 0
    for value in numbers:
        total += value
    return total + fresh_sum(3)


def test_kernels_that_allocate_count_and_others_do_not():
    assert counts(fresh_sum)
    assert not counts(borrowed_sum)
    assert borrowed_sum(np.arange(5)) == 13


@kernel
def sum_of_more(numbers: Any) -> int:
    total = 0
    for value in numbers + 1:
        total += value
    return total


def test_an_allocation_that_is_not_counted_is_refused_when_compiled():
    with pytest.raises(NumbaError, match="NRT required but not enabled"):
        sum_of_more(np.arange(4))
