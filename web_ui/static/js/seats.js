// The seats: bets before the cards, decisions after them, and what came of each.

import { all, enable, facts, make, one, say, setAttribute, setText, show } from "./dom.js";
import { order } from "./send.js";

let picture = null;
let chip = null; // the chip a tap adds, in minor units, or "remove"

export function drawSeats(message, canPress) {
  picture = message;
  for (const [seat, shown] of Object.entries(message.seats)) drawSeat(one(`[data-seat="${seat}"]`), seat, shown, canPress);
  drawPalette(message.phase === "bets_open" && facts.amounts && canPress);
  setText(one("[data-total-bet]"), message.total_bet && message.phase === "bets_open" ? say("total_bet", { amount: message.total_bet.text }) : "");
}

function drawSeat(column, seat, shown, canPress) {
  const open = picture.phase === "bets_open";
  const deciding = picture.phase === "decisions" && picture.next.step === "decide" && shown.playing;
  setAttribute(column, "data-playing", shown.playing ? "yes" : "no");
  setAttribute(column, "data-folded", shown.folded ? "yes" : "no");
  setAttribute(column, "data-turn", String(picture.worksheet.current) === seat ? "yes" : "no");
  setText(one("[data-seat-state]", column), seatState(seat, shown));
  setText(one("[data-hand-words]", column), picture.hands[seat].words);
  for (const spot of all("[data-spot]", column)) drawSpot(spot, shown, open && canPress);
  const decide = one("[data-decide]", column);
  show(decide, deciding);
  if (deciding) drawDecide(decide, shown, canPress);
}

function seatState(seat, shown) {
  if (!shown.playing) return picture.phase === "bets_open" ? "" : say("no_bet");
  const sheet = picture.worksheet.seats[seat];
  if (sheet?.state === "done") return `✓ ${say("done")}`;
  if (sheet?.state === "current") return `▶ ${say("now")}`;
  if (shown.outcome && shown.turned) return shown.outcome;
  if (shown.decision) return shown.decision;
  return sheet ? say("waits") : "";
}

function drawSpot(spot, shown, enabled) {
  const [, bet] = spot.dataset.spot.split(".");
  const stake = shown.bets[bet];
  const text = stake ? (stake.currency || facts.amounts ? stake.text : "●") : "";
  setAttribute(spot, "aria-pressed", stake ? "true" : "false");
  setText(one("[data-stake]", spot), text);
  enable(spot, enabled && (bet === "ante" || shown.playing));
}

function drawDecide(button, shown, canPress) {
  setAttribute(button, "aria-pressed", shown.folded ? "true" : "false");
  setText(one("[data-decide-word]", button), shown.folded ? say("fold") : say("raise"));
  setText(one("[data-decide-hint]", button), shown.folded ? say("tap_back") : say("tap_to_fold", { fold: say("fold") }));
  enable(button, canPress);
}

/** The command of a tap on a betting spot. */
function betCommand(seat, bet) {
  const made = Boolean(picture.seats[seat].bets[bet]);
  const amounts = facts.amounts && bet !== "jackpot";
  if (made && (!amounts || chip === "remove")) return { type: "RemoveBet", seat, bet };
  if (chip === "remove") return null;
  return { type: "PlaceBet", seat, bet, amount: amounts ? Number(chip) : null };
}

function drawPalette(visible) {
  const palette = one("[data-palette]");
  show(palette, visible);
  for (const button of all("[data-chip]", palette)) {
    setAttribute(button, "aria-pressed", button.dataset.chip === chip ? "true" : "false");
  }
}

/** The chips of the table's set, smallest first. */
export function chipKeys(pressed) {
  return [...facts.chips].reverse().map(({ minor, face }) =>
    make("button", { type: "button", class: "chip", "data-chip": minor, "aria-pressed": "false", onclick: () => pressed(minor) }, face),
  );
}

function choose(value) {
  chip = value;
  drawPalette(true);
}

/** Listen to taps on the seats. */
export function listenToSeats() {
  chip = facts.chips.length ? facts.chips.at(-1).minor : null;
  const middle = facts.chips[Math.floor(facts.chips.length / 2)];
  if (middle) chip = middle.minor;
  const remove = make("button", { type: "button", class: "chip remove", "data-chip": "remove", "aria-pressed": "false", onclick: () => choose("remove") }, "✕");
  remove.setAttribute("aria-label", say("remove_bet"));
  one("[data-palette]").append(...chipKeys(choose), remove);
  one(".seats").addEventListener("click", (event) => {
    const spot = event.target.closest("[data-spot]");
    const decide = event.target.closest("[data-decide]");
    if (spot && !spot.disabled) tapSpot(spot);
    if (decide && !decide.disabled) tapDecide(decide);
  });
}

function tapSpot(spot) {
  const [seat, bet] = spot.dataset.spot.split(".");
  const command = betCommand(Number(seat), bet);
  if (command) order(command, { button: spot });
}

function tapDecide(button) {
  const seat = Number(button.dataset.decide);
  const action = picture.seats[seat].folded ? "raise" : "fold";
  order({ type: "Decide", seat, action }, { button });
}
