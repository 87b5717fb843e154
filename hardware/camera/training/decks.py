"""Decks at random, from the machine's openly licensed fonts and Adrian Kennard's CC0 figures."""

from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image as Drawing
from PIL import ImageDraw, ImageFont

from hardware.camera import opencv
from hardware.camera.opencv import Image
from hardware.camera.training.faces import HEIGHT, RANKS, SUITS, WIDTH, Deck, Layout, drawn_suit, trimmed
from hardware.camera.training.glyphs import drawn_rank

NO_RANKS: Final = "BDVRCEPTXFWНД"  # what foreign courts and others print where a rank stands
FAMILIES: Final = (
    "adf",
    "bebas-neue",
    "cabin",
    "cantarell",
    "cardo",
    "comfortaa",
    "courier-prime",
    "crosextra",
    "croscore",
    "dejavu",
    "dosis",
    "ebgaramond",
    "inter",
    "junicode",
    "karla",
    "lato",
    "league-spartan",
    "liberation",
    "linux-libertine",
    "lm",
    "national-park",
    "open-sans",
    "oxygen",
    "play",
    "prociono",
    "quicksand",
    "roboto",
    "slab",
    "RobotoTTF",
    "sortsmill",
    "tex-gyre",
    "ubuntu-title",
    "unhinted",
    "urw-base35",
    "vollkorn",
    "yanone-kaffeesatz",
)
KEPT_FOR_TESTS: Final = ("ebgaramond", "national-park", "cabin", "vollkorn", "bebas-neue")
_NO_TYPE: Final = ("Dingbats", "Symbol", "D050", "StandardSymbols", "Initials", "Z003", "Chorus", "chorus", "italic10", "mathjax",
                   "lmmi", "lmsy", "lmex", "math", "Math", "SmallCaps", "smcp", "Mono-Regular-NF")  # fmt: skip
_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SIGN_FONTS: Final = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif.ttf",
    "Symbola_hint.ttf",
    "NotoSansSymbols2-Regular.ttf",
    "Symbola.ttf",
    "Inter-Regular.otf",
    "LinLibertine_R.otf",
    "Junicode-Regular.otf",
)


def font_files(root: Path = Path("/usr/share")) -> list[Path]:
    """The fonts a deck may be set in, in a fixed order."""
    found = [*(root / "fonts").rglob("*.[ot]t[fc]"), *(root / "texmf/fonts").rglob("*.otf")]
    chosen = [f for f in found if (f.parent.name in FAMILIES or ("noto/" in str(f) and f.name.startswith(_LATIN_NOTO)))]
    return sorted(f for f in chosen if not any(word in f.name for word in _NO_TYPE))


_LATIN_NOTO = ("NotoSans-", "NotoSerif-", "NotoSansDisplay-", "NotoSerifDisplay-", "NotoMono", "NotoSansMono-")


def glyph(font: ImageFont.FreeTypeFont, text: str) -> Image:
    """The text's ink, cut to its rim: uint8 [h, w]."""
    box = font.getbbox(text)
    picture = Drawing.new("L", (int(box[2] - box[0]) + 8, int(box[3] - box[1]) + 8))
    ImageDraw.Draw(picture).text((4 - box[0], 4 - box[1]), text, fill=255, font=font)
    return trimmed(np.asarray(picture))


def ten(font: ImageFont.FreeTypeFont, gap: float) -> Image:
    """`10`, its two figures set as tight as decks set them."""
    one, nought = glyph(font, "1"), glyph(font, "0")
    high = max(one.shape[0], nought.shape[0])
    one, nought = (opencv.resize(m, max(1, m.shape[1] * high // m.shape[0]), high) for m in (one, nought))
    space = np.zeros((high, max(1, round(high * gap))), np.uint8)
    return np.hstack([one, space, nought])


class Supply:
    """Fonts, suit signs and court figures, read once; decks are drawn from them."""

    def __init__(self, fonts: list[Path], artwork: Path | None) -> None:
        self.fonts = fonts
        self._families = [list(g) for _, g in groupby(fonts, lambda f: f.parent)]
        self.signs = [f for f in sorted(Path("/usr/share/fonts").rglob("*")) if f.name in _SIGN_FONTS]
        self.art = {} if artwork is None else {f"{d.name}/{f.stem}": _read(f) for d in sorted(artwork.iterdir())
                                               for f in sorted(d.glob("*.png"))}  # fmt: skip

    def deck(self, rng: np.random.Generator) -> Deck:
        """A deck at random."""
        family = self._families[rng.integers(len(self._families))] if rng.random() < 0.5 else self.fonts
        font = ImageFont.truetype(str(family[rng.integers(len(family))]), 110)
        gap = rng.uniform(-0.02, 0.14)
        weight = int(rng.choice([-3, 0, 0, 0, 2, 4, 6]))
        ranks = {r: _weighted(ten(font, gap) if r == "T" else glyph(font, r), weight) for r in RANKS}
        if rng.random() < 0.6:
            own = {r: drawn_rank(r, rng) for r in RANKS}
            ranks |= {r: trimmed(mask) for r, mask in own.items() if mask is not None and rng.random() < 0.85}
        extra = {r: _weighted(glyph(font, r), weight) for r in NO_RANKS}
        suits = self._signs(rng)
        suits["*"] = glyph(
            font, str(rng.choice(list("OUo★JKE")))
        )  # a joker's letters run down where a suit would stand
        layout = Layout.drawn(rng)
        paper = tuple(int(v) for v in 255 - rng.uniform(0, 22, 3) * (rng.random() < 0.5))
        line = (None, (0, 0, 0), (200, 60, 30), (30, 30, 200), (60, 60, 60))[rng.integers(5)]
        return Deck(
            ranks, suits, _colours(rng), layout, self._figures(rng), (paper[0], paper[1], paper[2]), line, extra
        )

    def _signs(self, rng: np.random.Generator) -> dict[str, Image]:
        if self.signs and rng.random() < 0.4:
            font = ImageFont.truetype(str(self.signs[rng.integers(len(self.signs))]), 160)
            signs = {s: glyph(font, sign) for s, sign in _SIGNS.items()}
            if len({sign.tobytes() for sign in signs.values()}) == len(SUITS):  # a font without one shows a box for it
                return signs
        return {s: drawn_suit(s, rng) for s in SUITS}

    def _figures(self, rng: np.random.Generator) -> dict[str, Image]:
        courts = [k for k in self.art if k[-2] in "JQK"]
        if not courts or rng.random() < 0.4:
            return {str(n): scribble(rng) for n in range(3)}
        return {str(n): _recoloured(_figure(self.art[courts[rng.integers(len(courts))]]), rng) for n in range(3)}

    def court_figures(self) -> dict[str, Image]:
        """The figures of the twelve courts, by card."""
        return {
            k[-2] + k[-1].lower(): _figure(face)
            for k, face in self.art.items()
            if k.startswith("2color/") and k[-2] in "JQK"
        }

    def artwork(self, rng: np.random.Generator) -> tuple[str, str, Image] | None:
        """A card of the drawn decks as it is: rank, suit, face; None where there is no artwork."""
        faces = [k for k in self.art if "B" not in k[-2:] and k[-2:] not in ("1J", "2J")]
        if not faces:
            return None
        key = faces[rng.integers(len(faces))]
        return key[-2], key[-1].lower(), self.art[key]


def supplies(artwork: Path | None) -> tuple[Supply, Supply]:
    """What to train on, and what is kept for tests."""
    fonts = font_files()
    kept = [f for f in fonts if f.parent.name in KEPT_FOR_TESTS]
    return Supply([f for f in fonts if f not in kept], artwork), Supply(kept, None)


def _read(file: Path) -> Image:
    picture = Drawing.open(file).convert("RGBA")
    white = Drawing.new("RGBA", picture.size, "white")
    white.alpha_composite(picture)
    return opencv.resize(np.ascontiguousarray(np.asarray(white.convert("RGB"))[:, :, ::-1]), WIDTH, HEIGHT)


def _figure(face: Image) -> Image:
    return np.ascontiguousarray(
        face[round(0.13 * HEIGHT) : round(0.87 * HEIGHT), round(0.19 * WIDTH) : round(0.81 * WIDTH)]
    )


def _recoloured(figure: Image, rng: np.random.Generator) -> Image:
    order = rng.permutation(3) if rng.random() < 0.5 else np.arange(3)
    fade = rng.uniform(0.6, 1.0)
    image = 255 - (255 - figure[:, :, order].astype(np.float32)) * fade
    return np.ascontiguousarray(image.astype(np.uint8)[:, :: rng.choice([-1, 1])])


def _weighted(mask: Image, weight: int) -> Image:
    if not weight:
        return mask
    return (
        trimmed(opencv.thickened(np.pad(mask, abs(weight) + 1), weight)) if weight > 0 or min(mask.shape) > 24 else mask
    )


def _colours(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    dark = tuple(int(v) for v in rng.uniform(0, 55, 3))
    red = (int(rng.uniform(0, 70)), int(rng.uniform(0, 70)), int(rng.uniform(150, 255)))
    colours = {"c": dark, "s": dark, "h": red, "d": red}
    if rng.random() < 0.08:
        colours |= {
            "c": (int(rng.uniform(0, 60)), int(rng.uniform(90, 160)), 0),
            "d": (int(rng.uniform(150, 255)), 60, 0),
        }
    return {s: (c[0], c[1], c[2]) for s, c in (colours | {"*": dark if rng.random() < 0.5 else red}).items()}


def scribble(rng: np.random.Generator) -> Image:
    """A figure of nobody: patches in a few colours, the lower half the upper one turned round."""
    high, wide = 360, 250
    image = np.full((high, wide, 3), 255, np.uint8)
    inks = [(0, 0, 0), (30, 30, 210), (40, 200, 240), (190, 80, 30), (80, 150, 60)]
    for _ in range(int(rng.integers(12, 60))):
        ink = inks[rng.integers(len(inks))] if rng.random() < 0.7 else tuple(int(v) for v in rng.uniform(0, 255, 3))
        middle = rng.uniform((0, 0), (wide, high / 2))
        points = middle + rng.normal(0, rng.uniform(5, 40), (int(rng.integers(3, 7)), 2))
        opencv.fill_polygon(image, points, (ink[0], ink[1], ink[2]))
    image[high // 2 :] = image[: high // 2][::-1, ::-1]
    return image


def back(rng: np.random.Generator) -> Image:
    """A card's back: a small sign or lines over and over, often within a white rim."""
    tile = int(rng.integers(8, 60))
    sign = (
        scribble(rng)
        if rng.random() < 0.5
        else np.repeat(drawn_suit(str(rng.choice(list(SUITS))), rng)[:, :, None], 3, 2)
    )
    small = opencv.resize(np.ascontiguousarray(sign), tile, tile)
    tint = np.float32(rng.uniform(0, 255, 3))
    paved = np.tile(small, (HEIGHT // tile + 1, WIDTH // tile + 1, 1))[:HEIGHT, :WIDTH].astype(np.float32) / 255
    image = (paved * 255 + (1 - paved) * tint).astype(np.uint8)
    rim = int(rng.integers(6, 34)) if rng.random() < 0.33 else 0
    if rim:
        image[:rim], image[-rim:], image[:, :rim], image[:, -rim:] = 255, 255, 255, 255
    return np.ascontiguousarray(image)
