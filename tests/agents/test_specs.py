from dataclasses import dataclass
from typing import Any, Literal

import pytest
import toys.known  # noqa: F401

from dwarrow.agents import AgentSpec, Kind, make, register_kind
from dwarrow.envs import game

TOY = game("goofspiel")


@dataclass(frozen=True)
class EchoOptions:
    sims: int = 10
    c: float = 1.4
    deep: bool = False
    net: str | None = None
    select: Literal["ucb", "rm"] = "ucb"

    def __post_init__(self) -> None:
        if self.sims < 1:
            raise ValueError("sims is at least 1")


@dataclass
class Echo:
    spec: str
    source: str | None
    options: EchoOptions
    ranked: bool = True

    def act(self, *args: Any) -> Any: ...


@pytest.fixture(autouse=True)
def _echo() -> None:
    register_kind(Kind("echo", lambda g, s, o: Echo(s.text, s.source, o), EchoOptions))
    register_kind(Kind("load", lambda g, s, o: Echo(s.text, s.source, o), EchoOptions, "RUN"))


def test_options_are_read_by_their_types():
    agent = make("echo:sims=7,c=0.5,deep=true,net=runs/a,select=rm", TOY)
    assert agent.options == EchoOptions(7, 0.5, True, "runs/a", "rm")
    assert make("echo:net=none", TOY).options == EchoOptions()


def test_a_source_stands_before_the_options():
    agent = make("load:runs/first,sims=3", TOY)
    assert (agent.source, agent.options.sims) == ("runs/first", 3)


def test_a_windows_path_is_one_source():
    assert AgentSpec.parse(r"load:C:\runs\x").source == r"C:\runs\x"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nobody", "known are random, greedy, rule"),
        ("", "unknown agent ''"),
        ("echo:sims=x", "sims=x: expected a whole number"),
        ("echo:c=x", "expected a number"),
        ("echo:deep=1", "true or false"),
        ("echo:select=max", "one of ucb, rm"),
        ("echo:sims=0", "sims is at least 1"),
        ("echo:size=1", "unknown option 'size'; known are sims, c, deep, net, select"),
        ("random:size=1", "known are none"),
        ("echo:", "does not fit"),
        ("echo:sims=1,sims=2", "does not fit"),
        ("echo:sims=1,runs/x", "does not fit"),
        ("echo:runs/x", "write it as echo:sims=10"),
        ("load:sims=3", "write it as load:RUN,sims=10"),
    ],
)
def test_an_ill_formed_spec_says_what_is_allowed(spec: str, said: str):
    with pytest.raises(ValueError, match=r"agent") as error:
        make(spec, TOY)
    assert said in str(error.value)
