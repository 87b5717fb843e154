"""The rules laboratory: exact returns by full enumeration, and millions of rounds at once."""
