"""The calibration page as a PDF: an A4 and an A3 page, to be printed at their own size. The only importer of reportlab."""

from io import BytesIO
from typing import Final

import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from hardware.camera import opencv
from hardware.camera.marks import PAGES, RULER_MM, Page

_WORDS: Final = (
    "Calibration page of the table's camera, {page}",
    "1. Print at 100 % (no fit to page), on matt paper. The ruler below must be 100 mm long;",
    "    if it is not, give its length: dealer-assist camera calibrate --ruler MM",
    "2. Clear the felt. Lay the page flat in its middle, this lower edge towards the dealer.",
    "3. dealer-assist camera calibrate --source 0 --out camera.toml",
    "4. Look at the picture it writes: each zone must lie where those cards lie.",
    "Do it again whenever camera, lens or table were moved.",
)


def sheet() -> bytes:
    """The PDF's bytes: page 1 is A4, page 2 A3, both on their side."""
    file = BytesIO()
    canvas = Canvas(file, pageCompression=1, invariant=1)
    canvas.setTitle("Calibration page")
    for page in PAGES:
        canvas.setPageSize((page.width * mm, page.height * mm))
        _draw(canvas, page)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw(canvas: Canvas, page: Page) -> None:
    canvas.translate(page.width / 2 * mm, page.height / 2 * mm)
    for number, corner, outline in page.marks():
        cell = page.mark / 6
        left, top = outline[0]
        for row, column in np.argwhere(opencv.mark(number)):
            # A hair wider and higher, so that no printer leaves a white line between two black cells.
            x, y = left + column * cell, top - (row + 1) * cell
            canvas.rect(x * mm, y * mm, cell * mm * 1.002, cell * mm * 1.002, stroke=0, fill=1)
        canvas.setFont("Helvetica", 7)
        canvas.drawCentredString(
            (left + page.mark / 2) * mm, (outline[2][1] - 4) * mm, f"{corner} · {page.name} · {number}"
        )
    _write(canvas, page)


def _write(canvas: Canvas, page: Page) -> None:
    high, line = page.height / 297 * 11, page.height / 297 * 17
    y = line * len(_WORDS) / 2 / mm + 2
    for at, words in enumerate(_WORDS):
        canvas.setFont("Helvetica-Bold" if at == 0 else "Helvetica", high)
        canvas.drawCentredString(0, (y - at * line / mm) * mm, words.format(page=page.name))
    under = y - (len(_WORDS) + 0.2) * line / mm
    canvas.setLineWidth(0.25 * mm)
    canvas.line(-RULER_MM / 2 * mm, under * mm, RULER_MM / 2 * mm, under * mm)
    for end in range(0, 101, 10):
        tall = 3 if end % 50 == 0 else 1.8
        canvas.line((end - 50) * mm, under * mm, (end - 50) * mm, (under + tall) * mm)
    canvas.setFont("Helvetica", high * 0.8)
    canvas.drawCentredString(0, (under - high * 1.2 / mm) * mm, "100 mm")
    _arrow(canvas, page)


def _arrow(canvas: Canvas, page: Page) -> None:
    """Towards the dealer, between the two near marks."""
    foot = -page.height / 2 + page.margin
    path = canvas.beginPath()
    path.moveTo(0, foot * mm)
    for x, y in ((-8, 10), (-3, 10), (-3, 24), (3, 24), (3, 10), (8, 10)):
        path.lineTo(x * mm, (foot + y) * mm)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)
    canvas.setFont("Helvetica-Bold", 12)
    canvas.drawCentredString(0, (foot - 6) * mm, "dealer")
