"""Logs too big for one round at a time: re-checked, converted and made by the million."""
