// Small helpers: find, make and change elements; say the page's sentences.

const { dataset } = document.body;

export const facts = dataset.facts ? JSON.parse(dataset.facts) : {};
const words = dataset.words ? JSON.parse(dataset.words) : {};

export const one = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

/** A sentence of the page by its name, `{n}` and the like filled in. */
export function say(name, values = {}) {
  return (words[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

/** An element with attributes (`on…` are listeners, true is an empty attribute) and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child != null && child !== ""));
  return element;
}

/** Change a text, an attribute or visibility only where it differs: what is not touched keeps its press and its focus. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function show(element, visible) {
  if (element.hidden === visible) element.hidden = !visible;
}

export function enable(element, enabled) {
  if (element.disabled === enabled) element.disabled = !enabled;
}

/** The holder and slot of a place such as "2.3", and the place in words. */
export function parsePlace(place) {
  const [holder, slot] = place.split(".").map(Number);
  return { holder, slot };
}

export function placeWords(place) {
  const { holder, slot } = parsePlace(place);
  return holder ? say("place_seat", { n: holder, k: slot + 1 }) : say("place_dealer", { k: slot + 1 });
}

export function holderWords(holder) {
  return Number(holder) ? say("seat_n", { n: holder }) : say("dealer");
}
