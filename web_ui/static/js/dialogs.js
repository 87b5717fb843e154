// The dialogs: which card, how many cards, which amounts, which of several, and a supervisor's signature.

import { all, enable, holderWords, make, one, parsePlace, placeWords, say, setText, show } from "./dom.js";
import { face, openCards } from "./cards.js";
import { pinPad } from "./pad.js";
import { chipKeys } from "./seats.js";

const find = (name) => one(`[data-dialog="${name}"]`);
let whenPicked = () => {};
let whenCounted = () => {};
let counting = null;
let whenStated = () => {};
let stating = null;
let signing = null;
let pad = null;

function open(name) {
  for (const dialog of all("dialog[open]")) dialog.close();
  find(name).showModal();
}

export function close() {
  for (const dialog of all("dialog[open]")) dialog.close();
}

/** Wire what is the same at every opening. */
export function prepareDialogs() {
  for (const dialog of all("dialog")) {
    dialog.addEventListener("click", (event) => event.target.closest("[data-close]") && dialog.close());
  }
  find("card").addEventListener("click", (event) => {
    const pick = event.target.closest("[data-card]");
    if (!pick || pick.disabled) return;
    close();
    whenPicked(pick.dataset.card);
  });
  prepareCount();
  prepareAmounts();
  prepareSign();
}

// --- which card ------------------------------------------------------------------------------------------------------

/** Ask which card lies at a place; cards that lie open elsewhere can't. `likely` come first. */
export function askCard(picture, place, picked, likely = null) {
  const dialog = find("card");
  const { holder, slot } = parsePlace(place);
  const { candidates = [], card: here } = picture.hands[holder].slots[slot];
  whenPicked = picked;
  dialog.dataset.place = place;
  dialog.dataset.had = here ?? "";
  setText(one("[data-title]", dialog), say("pick_for", { place: placeWords(place) }));
  const lying = openCards(picture);
  for (const button of all(".grid .pick", dialog)) enable(button, button.dataset.card !== here && !lying.has(button.dataset.card));
  one("[data-candidates]", dialog).replaceChildren(
    ...(likely ?? candidates).map(({ card, name }) =>
      make("button", { type: "button", class: "pick big", "data-card": card, "data-suit": card[1], "aria-label": name }, ...face(card)),
    ),
  );
  open("card");
}

/** The place that is asked about, and the card that lay there then; null where none is. */
export function asking() {
  const { open: isOpen, dataset } = find("card");
  return isOpen ? { place: dataset.place, had: dataset.had } : null;
}

// --- how many cards --------------------------------------------------------------------------------------------------

/** Ask for the count of cards, shown place by place in the dealing order. */
export function askCount(picture, counted) {
  counting = { least: picture.count.drawn, most: picture.count.to_draw, order: picture.count.order, now: picture.count.drawn };
  whenCounted = counted;
  drawCount();
  open("count");
}

function prepareCount() {
  const dialog = find("count");
  for (const key of all("[data-step]", dialog)) key.addEventListener("click", () => step(Number(key.dataset.step)));
  one("[data-ok]", dialog).addEventListener("click", () => {
    close();
    whenCounted(counting.now);
  });
}

function step(by) {
  counting.now = Math.min(counting.most, Math.max(counting.least, counting.now + by));
  drawCount();
}

function drawCount() {
  const dialog = find("count");
  const { now, least, most, order } = counting;
  const burned = most - order.length;
  const counts = new Map();
  for (const [at, place] of order.entries()) {
    const { holder } = parsePlace(place);
    const { there = 0, read = 0 } = counts.get(holder) ?? {};
    counts.set(holder, { there: there + (at < now - burned), read: read + (at < least - burned) });
  }
  setText(one("[data-counted]", dialog), String(now));
  setText(one("[data-ok]", dialog), say("count_key", { n: now }));
  enable(one('[data-step="-1"]', dialog), now > least);
  enable(one('[data-step="1"]', dialog), now < most);
  one("[data-places]", dialog).replaceChildren(
    ...[...counts].map(([holder, { there, read }]) =>
      make("li", { "data-count-of": holder }, make("span", {}, holderWords(holder)), make("strong", {}, String(there)), make("small", {}, say("count_read", { n: read }))),
    ),
  );
}

// --- which amounts ---------------------------------------------------------------------------------------------------

/** Ask for amounts by chips: `rows` name the bets asked for, `done` gets minor units by bet. */
export function askAmounts(title, rows, key, done) {
  const dialog = find("amounts");
  stating = { rows: Object.fromEntries(rows.map(({ bet }) => [bet, 0])), bet: rows[0].bet, texts: {}, key };
  whenStated = done;
  setText(one("[data-title]", dialog), title);
  one("[data-rows]", dialog).replaceChildren(...rows.map(amountRow));
  drawAmounts();
  open("amounts");
}

function amountRow({ bet, label }) {
  const choose = () => {
    stating.bet = bet;
    drawAmounts();
  };
  return make("button", { type: "button", class: "amount-row", "data-amount-of": bet, onclick: choose }, make("span", {}, label), make("strong", {}, "–"));
}

function prepareAmounts() {
  const dialog = find("amounts");
  one("[data-chips]", dialog).append(...chipKeys((minor) => setAmount(stating.rows[stating.bet] + Number(minor))));
  one("[data-clear]", dialog).addEventListener("click", () => setAmount(0));
  one("[data-ok]", dialog).addEventListener("click", () => {
    close();
    whenStated({ ...stating.rows });
  });
}

async function setAmount(minor) {
  stating.rows[stating.bet] = minor;
  const asked = stating;
  drawAmounts();
  for (const amount of [...new Set([...Object.values(stating.rows), sum(stating.rows)])]) {
    asked.texts[amount] ??= await formatted(amount);
  }
  if (asked === stating) drawAmounts();
}

const sum = (rows) => Object.values(rows).reduce((total, amount) => total + amount, 0);

/** Amounts are written by the server only. */
async function formatted(minor) {
  try {
    const answer = await fetch(`/dealer/amount?minor=${minor}`);
    return (await answer.json()).text;
  } catch {
    return undefined;
  }
}

function drawAmounts() {
  const dialog = find("amounts");
  for (const row of all("[data-amount-of]", dialog)) {
    const minor = stating.rows[row.dataset.amountOf];
    row.setAttribute("aria-pressed", String(row.dataset.amountOf === stating.bet));
    setText(one("strong", row), minor ? (stating.texts[minor] ?? "…") : "–");
  }
  const total = stating.texts[sum(stating.rows)];
  setText(one("[data-ok]", dialog), say(stating.key, { amount: total ?? "–" }));
  enable(one("[data-ok]", dialog), Object.values(stating.rows).every((minor) => minor > 0) && total !== undefined);
}

// --- which of several ------------------------------------------------------------------------------------------------

/** Ask which of several: `choices` are texts with what each does. */
export function askChoice(title, choices) {
  const dialog = find("choice");
  setText(one("[data-title]", dialog), title);
  one("[data-choices]", dialog).replaceChildren(
    ...choices.map(({ text, chosen, name }) =>
      make("button", { type: "button", class: "key", "data-choice": name, onclick: () => { close(); chosen(); } }, text),
    ),
  );
  open("choice");
}

// --- a supervisor's signature ----------------------------------------------------------------------------------------

/**
 * Ask for a supervisor's PIN, and a reason where one is due, for one object.
 *
 * `send` gets the reason and the PIN, and gives the server's answer; a wrong PIN keeps the dialog.
 */
export function askSignature({ title, object, key, reason, send }) {
  const dialog = find("sign");
  signing = { send, reason };
  setText(one("[data-title]", dialog), title);
  setText(one("[data-object]", dialog), object);
  setText(one("[data-ok]", dialog), key);
  setText(one("[data-told]", dialog), "");
  show(one("[data-reasons]", dialog), reason);
  for (const choice of all("[name=reason]", dialog)) choice.checked = false;
  pad.clear();
  open("sign");
}

function chosenReason() {
  return one("[name=reason]:checked", find("sign"))?.value ?? "";
}

function prepareSign() {
  const dialog = find("sign");
  const ready = () => enable(one("[data-ok]", dialog), pad !== null && pad.value().length >= 6 && (!signing?.reason || chosenReason() !== ""));
  pad = pinPad(dialog, ready);
  one("[data-reasons]", dialog).addEventListener("change", ready);
  one("[data-ok]", dialog).addEventListener("click", async () => {
    const pin = pad.value();
    pad.clear();
    const answer = await signing.send(chosenReason(), pin);
    if (answer?.error === "wrong_pin") setText(one("[data-told]", dialog), answer.text);
    else close();
  });
}
