// Slots and cards: an outline, a back, a back that nobody read, an open card, a doubtful one.

import { all, make, one, placeWords, say, setAttribute } from "./dom.js";

const GLYPHS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const LETTERS = { s: "S", h: "H", d: "D", c: "C" };
const FACES = {
  empty: { sign: "", words: "empty" },
  down: { sign: "", words: "face_down" },
  unknown_down: { sign: "?", words: "unknown_down" },
  unknown_up: { sign: "?", words: "unknown_up" },
};

/** The face of a card: rank, glyph and letter, so that no suit is told by colour alone. */
export function face(code) {
  const [rank, suit] = code;
  const shown = rank === "T" ? "10" : rank;
  return [
    make("span", { class: rank === "T" ? "rank ten" : "rank" }, shown),
    make("span", { class: "suit" }, GLYPHS[suit], make("small", {}, LETTERS[suit])),
  ];
}

/** Draw one slot; nothing is touched where it looks the same. */
function drawSlot(element, slot) {
  const place = element.dataset.slot;
  const drawn = `${slot.face}:${slot.card ?? ""}:${(slot.candidates ?? []).map((each) => each.card).join()}`;
  if (element.dataset.look === drawn) return;
  element.dataset.look = drawn;
  element.dataset.face = slot.face;
  if (slot.card) element.dataset.suit = slot.card[1];
  else delete element.dataset.suit;
  setAttribute(element, "aria-label", `${placeWords(place)}: ${nameOf(slot)}`);
  element.replaceChildren(...look(slot));
}

/** What is drawn in a slot. */
function look(slot) {
  if (slot.card) return face(slot.card);
  if (slot.face === "doubtful") return slot.candidates.map(candidate);
  return [make("span", { class: "sign", "aria-hidden": "true" }, FACES[slot.face].sign)];
}

const nameOf = (slot) => slot.name ?? say(FACES[slot.face]?.words ?? "doubtful");

/** A card beside others, not at a place of its own: a slot that is only looked at. */
export function pictureOf(slot) {
  const { face: shown = "up", card } = slot;
  return make("span", { class: "slot", role: "img", "aria-label": nameOf(slot), "data-face": shown, "data-suit": card?.[1] }, ...look(slot));
}

function candidate({ card }) {
  return make("span", { class: "candidate", "data-suit": card[1] }, ...face(card));
}

/** Draw every hand of a picture, and mark the place where the next card goes. */
export function drawHands(hands, next) {
  for (const [holder, hand] of Object.entries(hands)) {
    for (const [at, slot] of hand.slots.entries()) {
      const element = one(`[data-slot="${holder}.${at}"]`);
      if (!element) continue;
      drawSlot(element, slot);
      setAttribute(element, "data-next", element.dataset.slot === next ? "yes" : "no");
    }
  }
}

/** What lies at a place of a picture. */
export function slotAt(picture, place) {
  const [holder, at] = place.split(".");
  return picture.hands[holder]?.slots[Number(at)] ?? null;
}

/** The card grid's faces, drawn once. */
export function drawGrid() {
  for (const button of all("[data-dialog=card] .pick")) button.replaceChildren(...face(button.dataset.card));
}

/** Codes of the cards that lie open in a picture. */
export function openCards(picture) {
  const slots = Object.values(picture.hands).flatMap((hand) => hand.slots);
  return new Set(slots.map((slot) => slot.card).filter(Boolean));
}
