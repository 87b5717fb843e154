// The settlement as a worksheet: the lines of the seat whose turn it is, one bright at a time, ticked by tap.

import { make, one, say, setText, show } from "./dom.js";

const SIGNS = { take: "▼", push: "●", pay: "▲" };

let ticked = new Set(); // lines done, of the part shown; only a help for the eye
let shownPart = "";

export function drawWorksheet(picture) {
  const place = one("[data-worksheet]");
  const { worksheet } = picture;
  const part = partOf(picture);
  show(place, part !== null);
  if (part === null) return;
  const name = `${picture.round}:${worksheet.current}`;
  if (name !== shownPart) ticked = new Set();
  shownPart = name;
  const draft = make("div", {}, head(part, worksheet), make("ol", { class: "lines" }, ...part.lines.map(line)));
  if (place.dataset.drawn !== draft.innerHTML) {
    place.dataset.drawn = draft.innerHTML;
    place.replaceChildren(...draft.childNodes);
  }
  brighten(place);
}

/** What is shown: a seat's lines, the jackpot's, or after the close what was paid in all. */
function partOf({ worksheet, phase, next }) {
  if (next.step === "compare") return null; // nothing is paid while a hand is disputed
  if (worksheet.current === 0) return { title: say("jackpot_aside"), lines: worksheet.aside, total: worksheet.aside_total, aside: true };
  if (worksheet.current !== null) {
    const { lines, total } = worksheet.seats[worksheet.current];
    return { title: say("worksheet_of", { n: worksheet.current }), lines, total };
  }
  if (phase !== "closed" || !worksheet.order.length) return null;
  return { title: "", lines: [], total: null };
}

function head(part, worksheet) {
  return make(
    "header",
    {},
    part.title ? make("h2", {}, part.title) : null,
    part.total ? make("p", { class: "hand-out", "data-hand-out": true }, say("hand_out", { amount: part.total.text })) : null,
    worksheet.paid_out.minor === "0" ? null : make("p", { class: "paid-out", "data-paid-out": true }, say("paid_out", { amount: worksheet.paid_out.text })),
  );
}

function line(shown) {
  const key = `${shown.seat}.${shown.bet}`;
  const label = shown.bet === "jackpot" && shownPart.endsWith(":0") ? `${say("seat_n", { n: shown.seat })} · ${shown.label}` : shown.label;
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "line", "data-line": key, "data-result": shown.result, "aria-pressed": "false" },
      make("span", { class: "line-label" }, label),
      make("span", { class: "line-word" }, make("span", { class: "line-sign", "aria-hidden": "true" }, SIGNS[shown.result]), ` ${shown.word}`),
      make("span", { class: "line-amount" }, amountOf(shown)),
      make("span", { class: "line-chips" }, ...shown.chips.map(chips), shown.short ? make("span", { class: "short" }, shown.short) : null),
      make("span", { class: "line-why" }, whyOf(shown)),
    ),
  );
}

function amountOf({ amount, pays }) {
  if (!amount) return "";
  return amount.currency || !pays ? amount.text : pays;
}

function whyOf({ amount, why, pays, capped, due }) {
  const odds = amount?.currency || !pays ? pays : amount.text;
  return [why, odds, capped, due].filter(Boolean).join(" · ");
}

function chips({ value, count }) {
  return make("span", { class: "pile" }, make("strong", {}, say("times", { count })), " ", make("span", { class: "chip-face" }, value));
}

function brighten(place) {
  let bright = true;
  for (const button of place.querySelectorAll("[data-line]")) {
    const done = ticked.has(button.dataset.line);
    button.setAttribute("aria-pressed", String(done));
    button.dataset.bright = bright && !done ? "yes" : "no";
    if (!done) bright = false;
  }
}

/** Ticks are the dealer's own marks; the seat's key settles all of its lines. */
export function listenToWorksheet() {
  const place = one("[data-worksheet]");
  place.addEventListener("click", (event) => {
    const button = event.target.closest("[data-line]");
    if (!button) return;
    const { line: key } = button.dataset;
    if (!ticked.delete(key)) ticked.add(key);
    brighten(place);
  });
}

/** What a void round gave back. */
export function drawVoid(picture) {
  const place = one("[data-void-slip]");
  const slip = picture.phase === "void" ? picture.void : null;
  show(place, Boolean(slip));
  if (!slip) return;
  const rows = slip.lines.map(({ seat, bet, amount }) =>
    make("li", {}, make("span", {}, `${say("seat_n", { n: seat })} · ${bet}`), make("strong", {}, amount.text)),
  );
  place.replaceChildren(
    make("h2", {}, slip.done),
    make("p", {}, slip.reason),
    slip.house ? make("p", { class: "house" }, slip.house) : "",
    make("ul", { class: "refunds" }, ...rows),
  );
}

export function drawProgress(picture) {
  const { drawn, to_draw: most } = picture.count;
  setText(one("[data-progress]"), most ? say("cards_of", { n: drawn, m: most }) : "");
}
