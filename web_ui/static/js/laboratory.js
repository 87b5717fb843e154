// The rules laboratory: new values go to the server when typing rests, and come back as figures or as faults.

import { all, enable, make, one, say, setAttribute, setText, show } from "./dom.js";

const REST_MS = 400;
const PATIENCE_MS = 10 * 60 * 1000; // the server's own limits are shorter
const { dataset } = document.body;
const fields = all("[data-edit]");

let resting = 0;
let asking = null; // what stops the request on its way
let ticking = 0;

const changed = (field) => field.value.trim() !== field.dataset.stated;
const experiment = () => ({
  rules: dataset.rules,
  edits: Object.fromEntries(fields.filter(changed).map((field) => [field.dataset.edit, field.value.trim()])),
});

/** POST JSON; the answer's body with its `status`, or null where the server gave none. */
async function post(address, body, signal) {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": one('meta[name="csrf-token"]').content },
      body: JSON.stringify(body),
      signal,
    });
    return { ...(await response.json()), status: response.status };
  } catch {
    return null;
  }
}

async function ask() {
  clearTimeout(resting);
  resting = 0;
  asking?.abort();
  const mine = (asking = new AbortController());
  const began = performance.now();
  tick(began);
  const answer = await post(dataset.figures, experiment(), AbortSignal.any([mine.signal, AbortSignal.timeout(PATIENCE_MS)]));
  if (mine !== asking) return; // newer values were asked for meanwhile
  asking = null;
  clearInterval(ticking);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  setText(one("[data-progress]"), answer?.status === 200 ? say("computed", { s: seconds }) : "");
  take(answer);
}

function tick(began) {
  const draw = () => setText(one("[data-progress]"), say("counting", { s: Math.floor((performance.now() - began) / 1000) }));
  clearInterval(ticking);
  ticking = setInterval(draw, 1000);
  draw();
}

/** Figures in place of those before; or what is wrong, and those before stay, marked as such. */
function take(answer) {
  if (answer?.error === "stale_page") return location.reload();
  const good = answer?.status === 200;
  if (good) showFigures(answer.shown);
  tellFaults(answer?.faults ?? []);
  const stale = !good && one("[data-results]").childElementCount ? say("not_shown") : "";
  tell(good ? (answer.begun_anew ? say("begun_anew") : "") : `${answer?.text ?? say("no_answer")} ${stale}`);
  setAttribute(one("[data-results]"), "data-of", good ? "now" : "before");
  show(one('[data-key="sign-in"]'), answer?.error === "supervisor_only");
  show(one('[data-key="again"]'), !answer || answer.error === "no_figures");
}

function showFigures(shown) {
  const scrolled = one("[data-scrolls]")?.scrollLeft ?? 0;
  one("[data-results]").innerHTML = shown;
  one("[data-scrolls]")?.scrollTo(scrolled, 0);
}

function tell(text) {
  setText(one("[data-told]"), text && `⚠ ${text.trim()}`);
  show(one("[data-told]"), text !== "");
}

/** Each fault beside its field. */
function tellFaults(faults) {
  for (const place of all("[data-fault]")) {
    const fault = faults.find(({ path }) => path === place.dataset.fault);
    const field = document.getElementById(place.dataset.fault);
    setText(place, fault ? say("fault", { where: field.getAttribute("aria-label"), finding: fault.finding }) : "");
    show(place, Boolean(fault));
    setAttribute(field, "aria-invalid", fault ? "true" : "false");
  }
  for (const row of all("tr.faults")) show(row, Boolean(one("[data-fault]:not([hidden])", row)));
  enable(one('[data-key="download"]'), faults.length === 0);
}

// --- editing ---------------------------------------------------------------------------------------------------------

function edited() {
  for (const field of fields) setAttribute(field, "data-changed", changed(field) ? "yes" : "no");
  const count = fields.filter(changed).length;
  setText(one("[data-edits]"), count ? say("edits", { n: count }) : "");
  enable(one('[data-key="reset"]'), count > 0);
  clearTimeout(resting);
  resting = setTimeout(ask, REST_MS);
}

function reset() {
  for (const field of fields) field.value = field.dataset.stated;
  edited();
  ask();
}

async function download() {
  const answer = await post(dataset.document, experiment());
  if (answer?.status !== 200) return take(answer);
  const address = URL.createObjectURL(new Blob([answer.text], { type: "application/toml" }));
  make("a", { href: address, download: answer.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// --- the strategy: one stop of the tabulator, arrows within, and what a cell says below ------------------------------

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

const PLAYS = { raise: "cell_raise", fold: "cell_fold", mixed: "cell_mixed", none: "cell_none" };

function explain(event) {
  const cell = event.target.closest?.("[data-play]");
  if (!cell) return;
  const { play, gain, share, moved } = cell.dataset;
  const hand = cell.parentElement.cells[0].textContent;
  const upcard = one("[data-grid]").tHead.rows[0].cells[cell.cellIndex].abbr;
  const told = say("cell", { hand, upcard, play: say(PLAYS[play], { gain, share }) });
  setText(one("[data-said]"), moved ? `${told} ${say("cell_changed")}` : told);
}

function step(event) {
  const cell = event.target.closest?.("[data-play]");
  const by = STEPS[event.key];
  if (!cell || !by) return;
  event.preventDefault();
  const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + by[0]];
  const next = row?.cells[cell.cellIndex + by[1]];
  if (!next?.dataset.play) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

// --- wiring ----------------------------------------------------------------------------------------------------------

const editor = one("[data-editor]");
if (editor) {
  editor.addEventListener("input", edited);
  editor.addEventListener("change", () => resting && ask()); // Enter, or on to the next field
  one('[data-key="reset"]').addEventListener("click", reset);
  one('[data-key="download"]').addEventListener("click", download);
  one('[data-key="again"]').addEventListener("click", ask);
  const results = one("[data-results]");
  for (const kind of ["mouseover", "focusin"]) results.addEventListener(kind, explain);
  results.addEventListener("keydown", step);
  ask();
}
