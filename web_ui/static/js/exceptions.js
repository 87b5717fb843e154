// The exceptions behind the hold: what to do when the felt and the record part.

import { all, enable, facts, holderWords, one, parsePlace, say } from "./dom.js";
import { slotAt } from "./cards.js";
import { askAmounts, askCard, askChoice, askCount, askSignature, close } from "./dialogs.js";
import { order, post, tell } from "./send.js";

const REASONED = ["VoidRound", "CorrectCard", "CorrectBet", "CorrectDecision", "UpholdRecord"];
const RUNNING = ["bets_open", "dealing", "decisions", "reveal", "settlement", "paused"];

let picture = null;
let picking = null; // { fits, then }: the dealer is asked to tap a place

let whenPickingChanges = () => {};

export const isPicking = () => picking !== null;

/** Hear when a place is asked for, and when no longer. */
export function onPicking(changed) {
  whenPickingChanges = changed;
}

export function sawPicture(message) {
  if (picking && picture && picture.round !== message.round) stopPicking();
  picture = message;
  markPlaces();
}

/** Give an order; where a supervisor must sign it, ask for the signature and give it again. */
export async function orderOrSign(command, button = null) {
  const answer = await order(command, { button, quiet: true });
  if (answer?.status !== 422) {
    if (answer && answer.status !== 200) tell(answer.text);
    return;
  }
  if (["needs_supervisor", "reason_needed"].includes(answer.refusal)) sign(command, say("sign_it"), say("sign_key"));
  else tell(answer.text);
}

/** Ask a supervisor to sign a command; its reason goes into it where it has one. */
export function sign(command, object, key, title = say("sign_it")) {
  const reason = REASONED.includes(command.type);
  const send = (why, pin) => order(reason ? { ...command, reason: why } : command, { pin });
  askSignature({ title, object, key, reason, send });
}

// --- tapping a place -------------------------------------------------------------------------------------------------

/** Ask the dealer to tap a place that fits. */
export function pick(words, fits, then) {
  close();
  picking = { fits, then };
  tell(words, { stays: true });
  markPlaces();
  whenPickingChanges();
}

export function stopPicking() {
  picking = null;
  tell("");
  markPlaces();
  whenPickingChanges();
}

function markPlaces() {
  if (!picture) return;
  document.body.dataset.picking = picking ? "yes" : "no";
  for (const element of all("[data-slot]")) {
    const place = element.dataset.slot;
    const slot = slotAt(picture, place);
    enable(element, Boolean(slot) && (picking ? picking.fits(slot, place) : mayEnter(slot, place)));
  }
}

/** Whether the card at a place may be named without more ado: it lies open and is not known, or is the next one. */
function mayEnter(slot, place) {
  if (document.body.dataset.keys !== "yes") return false;
  const due = picture.next.step === "deal" && picture.next.place === place && picture.next.open;
  return slot.face === "unknown_up" || slot.face === "doubtful" || due;
}

export function listenToPlaces() {
  document.addEventListener("click", (event) => {
    const element = event.target.closest("[data-slot]");
    if (!element || element.disabled) return;
    const place = element.dataset.slot;
    if (!picking) return enterCard(place);
    const { then } = picking;
    stopPicking();
    then(place);
  });
}

const asPlace = (place) => parsePlace(place);

export function enterCard(place) {
  askCard(picture, place, (card) => order({ type: "EnterCard", place: asPlace(place), card }));
}

/** A hand's card differs from what was read: which, and which card lies there. */
export function correctHand(holder) {
  const fits = (slot, place) => slot.face === "up" && (holder === null || parsePlace(place).holder === Number(holder));
  pick(say("pick_wrong"), fits, (place) =>
    askCard(picture, place, (card) => orderOrSign({ type: "CorrectCard", place: asPlace(place), card, reason: "" })),
  );
}

/** A hand that the camera disputes: the record is right. */
export function upholdRecord({ uphold, signed, title }, button) {
  if (signed) sign(uphold, title, say("sign_key"));
  else orderOrSign(uphold, button);
}

/** A hand that the camera disputes: which of its cards is another, those that the camera saw offered first. */
export function correctDisputed({ recorded, seen, signed, title }) {
  const differing = recorded.filter((card) => card.differs);
  const places = (differing.length ? differing : recorded).map(({ place }) => place);
  const correct = (place, card) => {
    if (!slotAt(picture, place).card) return order({ type: "EnterCard", place: asPlace(place), card });
    const command = { type: "CorrectCard", place: asPlace(place), card, reason: "" };
    return signed ? sign(command, title, say("sign_key")) : orderOrSign(command);
  };
  const ask = (place) => askCard(picture, place, (card) => correct(place, card), seen.filter((card) => card.differs));
  if (places.length === 1) ask(places[0]);
  else pick(say("pick_wrong"), (_, place) => places.includes(place), ask);
}

export function countCards() {
  askCount(picture, (drawn) => order({ type: "ConfirmCount", drawn }));
}

export function stateAmounts() {
  const seat = picture.next.seat;
  const rows = [{ bet: "ante", label: say("ante") }];
  if (picture.seats[seat].bets.bonus) rows.push({ bet: "bonus", label: say("bonus") });
  askAmounts(say("amounts_of", { n: seat }), rows, "state_key", (made) => order({ type: "StateAmounts", seat, bonus: 0, ...made }));
}

// --- the menu --------------------------------------------------------------------------------------------------------

const lies = (slot) => slot.face !== "empty";
const playing = () => Object.entries(picture.seats).filter(([, seat]) => seat.playing);

const MENU = {
  "not-read": {
    can: () => picture.next.step === "deal",
    act: () => order({ type: "MarkUnread" }),
  },
  "missed-card": {
    can: () => picture.phase === "dealing" && picture.count.drawn > 0,
    act: () => pick(say("pick_missed"), lies, (place) => order({ type: "InsertUnread", place: asPlace(place) })),
  },
  "no-card-there": {
    can: () => ["dealing", "decisions"].includes(picture.phase) && picture.count.drawn > 0,
    act: () => pick(say("pick_surplus"), lies, (place) => order({ type: "TakeOut", place: asPlace(place) })),
  },
  "correct-card": {
    can: () => Object.values(picture.hands).some((hand) => hand.slots.some((slot) => slot.face === "up")) && picture.phase !== "void",
    act: () => correctHand(null),
  },
  "count-cards": {
    can: () => ["dealing", "paused"].includes(picture.phase) && picture.count.order.length > 0,
    act: countCards,
  },
  "time-out": { can: () => picture.phase === "decisions", act: timeOut },
  "correct-decision": { can: () => ["reveal", "settlement", "closed"].includes(picture.phase), act: correctDecision },
  "correct-bet": { can: () => facts.amounts && picture.count.drawn > 0 && picture.phase !== "void", act: correctBet },
  "change-deck": { can: () => ["closed", "void", "bets_open"].includes(picture.phase) && picture.decks.length > 1, act: changeDeck },
  "answer-call": { can: () => picture.called, act: () => sign({ type: "AnswerCall" }, say("answer_call"), say("sign_key")) },
  "pay-hit": { can: () => picture.pending.length > 0, act: payHit },
  resume: { can: () => true, act: () => post("/demo/resume", {}) },
  void: { can: () => RUNNING.includes(picture.phase) && Boolean(picture.void?.ask), act: voidRound },
};

export function drawMenu() {
  for (const [name, { can }] of Object.entries(MENU)) {
    const key = one(`[data-dialog="more"] [data-key="${name}"]`);
    if (key) enable(key, can());
  }
}

export function listenToMenu() {
  one('[data-dialog="more"]').addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]");
    const item = key && MENU[key.dataset.key];
    if (!item || key.disabled) return;
    close();
    item.act();
  });
}

function voidRound() {
  sign({ type: "VoidRound" }, picture.void.bets, picture.void.key, picture.void.ask);
}

function changeDeck() {
  const resting = picture.decks.filter((deck) => !deck.in_play);
  askChoice(say("change_deck"), resting.map(({ id, command }) => ({ text: id, name: id, chosen: () => order(command) })));
}

function timeOut() {
  const seats = playing().filter(([, seat]) => !seat.folded);
  askChoice(say("time_out"), seats.flatMap(([seat]) => timeOutKeys(Number(seat))));
}

function timeOutKeys(seat) {
  const text = say("time_out_n", { n: seat });
  if (!facts.asks_supervisor) return [{ text, name: `${seat}`, chosen: () => order({ type: "TimeOutSeat", seat }) }];
  return ["fold", "raise"].map((directed) => ({
    text: `${text}: ${say(directed)}`,
    name: `${seat}.${directed}`,
    chosen: () => sign({ type: "TimeOutSeat", seat, directed }, `${text}: ${say(directed)}`, say("sign_key")),
  }));
}

function correctDecision() {
  const choices = playing().map(([seat, shown]) => {
    const action = shown.folded ? "raise" : "fold";
    const text = say("decision_n", { n: seat, decision: shown.decision });
    const key = say("decision_key", { decision: say(action) });
    const command = { type: "CorrectDecision", seat: Number(seat), action };
    return { text: `${text} → ${say(action)}`, name: seat, chosen: () => sign(command, text, key) };
  });
  askChoice(say("correct_decision"), choices);
}

function correctBet() {
  const bets = facts.bonus ? ["ante", "bonus"] : ["ante"];
  const choices = playing().flatMap(([seat, shown]) =>
    bets.map((bet) => {
      const title = say("bet_n", { n: seat, bet: say(bet) });
      const stated = (made) => sign({ type: "CorrectBet", seat: Number(seat), bet, amount: made[bet] }, title, say("sign_key"));
      const ask = () => askAmounts(title, [{ bet, label: say(bet) }], "bet_key", stated);
      return { text: `${holderWords(seat)} · ${say(bet)} ${shown.bets[bet]?.text ?? ""}`, name: `${seat}.${bet}`, chosen: ask };
    }),
  );
  askChoice(say("correct_bet"), choices);
}

function payHit() {
  const choices = picture.pending.map(({ number, amount, command }) => ({
    text: say("pay_hit", { number, amount: amount.text }),
    name: number,
    chosen: () => sign(command, say("pay_hit", { number, amount: amount.text }), say("pay_hit_key", { amount: amount.text })),
  }));
  askChoice(say("jackpot_paid"), choices);
}
