// The camera's page: the newest picture that was read with what was read in it, and how old it is. It asks twice a second.

import { one, say, setAttribute, setText, show } from "./dom.js";

const EVERY_MS = 500;
const WAIT_MS = 4000;
const LOG_MS = 120000; // a long log takes a while, the first time
const STALE_MS = 3000; // an older picture is dimmed, and says so
const TICK_MS = 250;
const SVG = "http://www.w3.org/2000/svg";
const { dataset } = document.body;

let live = null; // the newest answer
let shown = null; // the picture it has on the screen: its number, and when it was taken by this page's clock
let records = null; // what the log on the screen was read for
let reading = false;

/** GET JSON; null where no answer came. A page whose supervisor was signed out is loaded anew, and leads to the pad. */
async function get(address, within = WAIT_MS) {
  try {
    const response = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(within) });
    if (response.status === 403) location.reload();
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

async function ask() {
  if (!document.hidden) {
    const asked = performance.now();
    live = await get(dataset.live);
    if (live?.picture) await showPicture(live.picture, asked);
    draw();
    if (live && live.records !== records) readLog(live.records);
  }
  setTimeout(ask, EVERY_MS);
}

// --- the picture -----------------------------------------------------------------------------------------------------

async function showPicture(picture, asked) {
  const taken = asked - picture.age_ms;
  if (shown?.number === picture.number) {
    shown.taken = taken;
    return;
  }
  const before = one("[data-picture]");
  const image = before.cloneNode();
  image.src = picture.src;
  try {
    await image.decode();
  } catch {
    return; // a newer one has taken its place, or it did not come: the one on the screen grows old, and says so
  }
  before.replaceWith(image);
  shown = { number: picture.number, taken };
  drawOver(picture);
}

/** Zones, then boxes with their words, in the picture's own pixels. */
function drawOver({ size: [wide, high], boxes, zones }) {
  const over = one("[data-over]");
  setAttribute(over, "viewBox", `0 0 ${wide} ${high}`);
  setAttribute(over, "font-size", String(Math.round(wide / 48)));
  over.replaceChildren(...zones.flatMap(zone), ...boxes.flatMap(box));
}

function drawn(tag, attributes, words = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = words;
  return element;
}

const polygon = (outline, attributes) => drawn("polygon", { ...attributes, points: outline.map((point) => point.join()).join(" ") });
const zone = ({ outline, name }) => [polygon(outline, { class: "zone" }), label(outline, "below", name, { class: "zone-name" })];

function box({ outline, kind, name, share }) {
  const about = { "data-kind": kind };
  return [
    polygon(outline, { class: "box", ...about }),
    label(outline, "above", name, { class: "box-name", ...about }),
    label(outline, "below", share, { class: "box-share", ...about }),
  ];
}

/** Words above or below an outline, in its middle. */
function label(outline, where, words, attributes) {
  const middle = outline.reduce((sum, [x]) => sum + x, 0) / outline.length;
  const rows = outline.map(([, y]) => y);
  const at = where === "above" ? { y: Math.min(...rows), dy: "-0.3em" } : { y: Math.max(...rows), dy: "1em" };
  return drawn("text", { ...attributes, ...at, x: middle.toFixed(1), "text-anchor": "middle" }, words);
}

// --- in words --------------------------------------------------------------------------------------------------------

function draw() {
  const lamp = one("[data-standing]");
  setAttribute(lamp, "data-lit", live?.lit ?? "bad");
  setText(lamp, live ? live.words : `▲ ${say("no_answer")}`);
  drawAge();
}

function drawAge() {
  const view = one("[data-view]");
  const age = shown ? performance.now() - shown.taken : null;
  const stale = age !== null && (age > STALE_MS || live?.lit !== "good");
  setAttribute(view, "data-stale", stale ? "yes" : "no");
  show(one("[data-picture]"), shown !== null);
  setText(one("[data-age]"), age === null ? say("no_picture") : say(stale ? "old" : "age", { s: (age / 1000).toFixed(1) }));
}

// --- what the log tells, when it tells something else ----------------------------------------------------------------

async function readLog(mark) {
  if (reading) return;
  reading = true;
  const answer = await get(dataset.logAddress, LOG_MS);
  records = mark;
  reading = false;
  if (answer) one("[data-log]").innerHTML = answer.shown;
  else setText(one("[data-log-told]"), say("no_log"));
  show(one("[data-log-told]"), answer === null);
}

if (one("[data-view]")) {
  setInterval(drawAge, TICK_MS);
  ask();
} else {
  readLog("");
}
