// The jackpot sign: rolls up only; a jump down is a cut with its reason; what is old says so. It needs nobody.

import { make, one, say, setText } from "./dom.js";
import { openStream } from "./stream.js";

const STALE_MS = 4500;
const OFFLINE_MS = 60000;
const REASON_MS = 20000;

let last = null; // the last confirmed picture
let serverTime = ""; // when the server was last heard, by its own clock
let reasonUntil = 0;

function state() {
  const silent = silentFor();
  if (silent === Infinity) return "waiting";
  if (silent > OFFLINE_MS) return "offline";
  if (silent > STALE_MS) return "as_of";
  return last?.pending.length ? "pending" : "live";
}

function drawState() {
  const now = state();
  document.body.dataset.state = now;
  setText(one("[data-sign-state]"), say(now, { time: serverTime }));
  const reason = one("[data-reason]");
  if (reason && performance.now() > reasonUntil) setText(reason, "");
}

function picture(message) {
  drawMeter(message);
  last = message;
  drawState();
}

function drawMeter(message) {
  const place = one("[data-digits]");
  if (!place || !message.meter) return;
  const before = last?.meter ? BigInt(last.meter.minor) : null;
  const now = BigInt(message.meter.minor);
  if (before === now && place.dataset.text === message.meter.text) return;
  const rolls = before !== null && now > before && place.dataset.text?.length === message.meter.text.length;
  if (before !== null && now < before) tellReason(message);
  const old = place.dataset.text ?? "";
  place.replaceChildren(...[...message.meter.text].map((sign, at) => digit(sign, rolls ? old[at] : sign)));
  place.dataset.text = message.meter.text;
  place.style.setProperty("--signs", message.meter.text.length);
  setText(one("[data-meter-text]"), message.meter.text);
}

function digit(sign, was) {
  const changed = sign !== was && /\d/.test(sign) && /\d/.test(was);
  return make("span", { class: changed ? "digit rolls" : /\d/.test(sign) ? "digit" : "mark", "data-was": changed ? was : null }, make("span", {}, sign));
}

/** Why the meter stands lower than before. */
function tellReason(message) {
  const won = message.pending.find((hit) => !last.pending.some((other) => other.number === hit.number));
  const words = won ? say("won", { amount: won.amount.text }) : message.phase === "void" ? say("voided") : say("corrected");
  setText(one("[data-reason]"), words);
  reasonUntil = performance.now() + REASON_MS;
}

const silentFor = openStream({
  message: picture,
  heartbeat: ({ now }) => {
    serverTime = now.slice(11, 19);
    drawState();
  },
});
setInterval(drawState, 250);
