"""The enumeration, counted once for every test."""

import pytest

from dealer_assist.analysis.deals import Deals, count_deals
from dealer_assist.game.hands import LOWEST_QUALIFYING


@pytest.fixture(scope="session")
def deals() -> Deals:
    """All deals where the dealer plays with ace and king or better."""
    return count_deals(LOWEST_QUALIFYING)
