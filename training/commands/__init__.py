"""Verbs of the command line about training; see `dwarrow.benchmarks.cli`."""
