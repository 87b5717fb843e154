// A PIN pad: digits by touch into a field that shows dots only. What a scanner types never reaches it.

import { all, one } from "./dom.js";

const LONGEST = 12;

/** Wire the pad within `place`; `changed` hears the PIN after each touch. */
export function pinPad(place, changed = () => {}) {
  const field = one("[data-pin]", place);

  function set(value) {
    field.value = value;
    changed(value);
  }

  for (const key of all("[data-digit]", place)) {
    key.addEventListener("click", () => field.value.length < LONGEST && set(field.value + key.dataset.digit));
  }
  one("[data-erase]", place).addEventListener("click", () => set(field.value.slice(0, -1)));
  return { value: () => field.value, clear: () => set("") };
}
