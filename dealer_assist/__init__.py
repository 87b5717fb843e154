"""Dealer assist: rules, rounds, money and the log of a Caribbean Stud table."""
