"""Measurements, not tests: `python -m tests.bench` prints a table and writes JSON to tests/bench/results/."""
