// The sign-in page: its pad.

import { one } from "./dom.js";
import { ignoreKeyboard } from "./guard.js";
import { pinPad } from "./pad.js";

const form = one("[data-pin-form]");
if (form) {
  ignoreKeyboard();
  pinPad(form);
}
