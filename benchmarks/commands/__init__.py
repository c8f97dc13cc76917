"""Verbs of the command line about measuring and showing; see `dwarrow.benchmarks.cli`."""
