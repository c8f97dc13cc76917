"""Importing this makes the toy auction and its players known by name."""

from dwarrow.agents.players import add_players
from dwarrow.envs import add_game

add_game("goofspiel", "toys.goofspiel")
add_players("goofspiel", "toys.goofspiel_players")
