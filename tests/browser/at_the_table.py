"""A dealer's hands on a real screen: what a person does there, as deeds with names."""

import re
from collections.abc import Iterable

from playwright.sync_api import Page, expect

from dealer_assist.game.cards import Card
from tests.served import DEALER_PIN, ServedTable

PATIENCE_MS = 15_000


class DealerScreen:
    """The dealer screen of a served table, with its presses counted."""

    def __init__(self, page: Page, table: ServedTable) -> None:
        self.page = page
        self.table = table
        self.presses = 0
        page.set_default_timeout(PATIENCE_MS)

    def sign_in(self) -> None:
        """Go to the PIN pad, and use it."""
        self.page.goto(f"{self.table.address}/sign-in")
        self.type_pin()

    def type_pin(self) -> None:
        """At the PIN pad: digit by digit."""
        for digit in DEALER_PIN:
            self.page.click(f'[data-digit="{digit}"]')
        self.page.click('[data-key="sign-in"]')
        expect(self.page.locator("body")).to_have_attribute("data-signed-in", "dealer")

    def is_led_to_the_pin_pad(self) -> None:
        """The page goes there by itself: it was signed out."""
        expect(self.page).to_have_url(f"{self.table.address}/sign-in", timeout=PATIENCE_MS)

    def says(self, words: str) -> None:
        """The state in words is, or becomes, this."""
        expect(self.page.locator("[data-state-words]")).to_have_text(re.compile(words), timeout=PATIENCE_MS)

    def in_phase(self, phase: str) -> None:
        """The round is, or comes, into this phase."""
        expect(self.page.locator("body")).to_have_attribute("data-phase", phase, timeout=PATIENCE_MS)

    def primary(self) -> str:
        """Press the primary key; what it said."""
        key = self.page.locator("[data-primary]")
        words = key.inner_text()
        key.click()
        self.presses += 1
        return words

    def key(self, name: str) -> None:
        """Press one of the other keys."""
        self.page.click(f'[data-key="{name}"]')
        self.presses += 1

    def hold_more(self, name: str) -> None:
        """Hold the key to the exceptions until its ring is full, and choose one."""
        box = self.page.locator('[data-hold="more"]').bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.locator('[data-dialog="more"]').wait_for(state="visible")
        self.page.mouse.up()
        self.key(name)

    def pick(self, card: str) -> None:
        """Tap a card on the grid that is open."""
        self.page.click(f'[data-dialog="card"] [data-card="{card}"]')
        self.presses += 1

    def bet(self, seat: int, bet: str) -> None:
        """Tap a betting spot, and see the bet taken: while one key is on its way, no other counts."""
        spot = self.page.locator(f'[data-spot="{seat}.{bet}"]')
        spot.click()
        self.presses += 1
        expect(spot).to_have_attribute("aria-pressed", "true", timeout=PATIENCE_MS)
        self.is_free()

    def fold(self, seat: int) -> None:
        """Tap a seat that folds, and see it taken."""
        self.is_free()
        self.page.click(f'[data-decide="{seat}"]')
        self.presses += 1
        expect(self.page.locator(f'[data-seat="{seat}"]')).to_have_attribute("data-folded", "yes", timeout=PATIENCE_MS)
        self.is_free()

    def is_free(self) -> None:
        """No key is on its way."""
        expect(self.page.locator("body")).not_to_have_attribute("data-busy", "yes", timeout=PATIENCE_MS)

    def face(self, place: str) -> str:
        """How a slot looks."""
        return self.page.locator(f'[data-slot="{place}"]').get_attribute("data-face") or ""

    def shows(self, place: str, face: str) -> None:
        """A slot looks so, or comes to."""
        expect(self.page.locator(f'[data-slot="{place}"]')).to_have_attribute("data-face", face, timeout=PATIENCE_MS)

    def deal(self, cards: Iterable[str], after: int) -> int:
        """Cards leave the shoe one by one, each seen before the next; `after` of them lie on the felt already."""
        for card in cards:
            self.table.shoe.present(Card(card))
            after += 1
            expect(self.page.locator("[data-progress]")).to_have_text(re.compile(rf"\b{after}\b"), timeout=PATIENCE_MS)
        return after
