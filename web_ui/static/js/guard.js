// What must not press a key: a keyboard-wedge scanner, the touch that wakes a sleeping screen, a finger that bounces.

import { one, say, setText, show } from "./dom.js";

const SLEEP_MS = 10 * 60 * 1000;
const ARM_MS = 350;

let sleepTimer = 0;
let stale = false;

/** Keys work by pointer alone: whatever types, types into nothing. */
export function ignoreKeyboard() {
  const swallow = (event) => {
    if (event.key === "Tab" || event.key === "Escape" || event.ctrlKey || event.metaKey || /^F\d+$/.test(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const kind of ["keydown", "keypress", "keyup"]) document.addEventListener(kind, swallow, true);
  document.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** The veil over everything: an old picture stays veiled, a sleeping one wakes at a touch that does nothing else. */
export function watchSleep() {
  const cover = one("[data-veil]");
  for (const kind of ["pointerdown", "pointerup", "click"]) {
    cover.addEventListener(kind, (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (kind === "click") wake();
    });
  }
  document.addEventListener("pointerdown", restart, true);
  restart();
}

function restart() {
  clearTimeout(sleepTimer);
  sleepTimer = setTimeout(sleep, SLEEP_MS);
}

export function sleep() {
  if (!stale) veil(say("sleeping"), "", "asleep");
}

/** Something came from the table, or somebody touched the screen. */
export function wake() {
  restart();
  if (!stale) lift();
}

/** How old the picture is, in seconds; null where it is live. */
export function tellAge(seconds) {
  stale = seconds !== null;
  if (stale) veil(say("stale", { s: seconds }), say("stale_help"), "stale");
  else lift();
}

function veil(text, help, why) {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  setText(one("[data-veil-age]"), text);
  setText(one("[data-veil-help]"), help);
  show(one("[data-veil]"), true);
  document.body.dataset.dim = why;
}

function lift() {
  show(one("[data-veil]"), false);
  delete document.body.dataset.dim;
}

/** Let a key that has a new meaning rest for a moment, so that the second tap of a bounce does not press it. */
export function arming(button) {
  let meaning = null;
  let wanted = null;
  let timer = 0;
  return (now, enabled) => {
    if (now === meaning && enabled === wanted) return;
    meaning = now;
    wanted = enabled;
    button.disabled = true;
    clearTimeout(timer);
    if (enabled) timer = setTimeout(() => (button.disabled = false), ARM_MS);
  };
}
