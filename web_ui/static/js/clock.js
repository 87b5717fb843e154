// The clock in GMT by the server's time, and the betting light: where it stands, its shape, its word and the seconds.

import { facts, one, say, setAttribute, setText, show } from "./dom.js";

const NEARLY_S = 5;
const SHAPES = { open: "●", closing: "▲", closed: "■" };

let ahead = 0; // the server's clock minus this machine's, in ms
let closesAt = null;

export function tellTime(now) {
  ahead = Date.parse(now) - Date.now();
}

export function tellClosing(at) {
  closesAt = at ? Date.parse(at) : null;
  draw();
}

function draw() {
  const now = Date.now() + ahead;
  setText(one("[data-clock]"), new Date(now).toISOString().slice(11, 19));
  const light = one("[data-light]");
  show(light, closesAt !== null && facts.betting_seconds > 0);
  if (closesAt === null) return;
  const left = Math.max(0, Math.ceil((closesAt - now) / 1000));
  const state = left === 0 ? "closed" : left <= NEARLY_S ? "closing" : "open";
  setAttribute(light, "data-light", state);
  setText(one("[data-light-shape]"), SHAPES[state]);
  setText(one("[data-light-words]"), `${say(`bets_${state}`)} ${left ? say("seconds", { s: left }) : ""}`);
}

export function startClock() {
  setInterval(draw, 500);
  draw();
}
