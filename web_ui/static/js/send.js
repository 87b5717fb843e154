// One order at a time: a key goes to "sent" at once, and comes back only with the server's picture.

import { one, say, setText, show } from "./dom.js";

const RETRIES = 3;
const WAIT_MS = 6000;
const SHOWN_MS = 9000;

let picture = null; // the newest from the stream
let sent = null; // { button, seq } of the order on its way
let hideMessage = 0;

/** The newest picture; it may bring the answer to the order on its way. */
export function arrived(message) {
  picture = message;
  if (sent && sent.seq !== null && picture.seq >= sent.seq) release();
}

export const busy = () => sent !== null;

/** Tell the dealer something that is not the table's state; it goes after a while, unless it `stays`. */
export function tell(text, { stays = false } = {}) {
  const place = one("[data-message]");
  clearTimeout(hideMessage);
  setText(place, text);
  show(place, text !== "");
  if (text && !stays) hideMessage = setTimeout(() => tell(""), SHOWN_MS);
}

function release() {
  sent?.button?.removeAttribute("data-sent");
  document.body.removeAttribute("data-busy");
  sent = null;
}

/** Hold a button as sent until `seq` is on the screen, or at most a few seconds. */
function holdUntil(seq) {
  if (picture && picture.seq >= seq) return release();
  sent.seq = seq;
  const mine = sent;
  setTimeout(() => sent === mine && release(), WAIT_MS);
}

/**
 * Give an order to the table. Gives the answer's body with its `status`, or null where none came.
 *
 * The same key goes with every try, so an order whose answer was lost is not done twice.
 */
export async function order(command, { button = null, pin = null, quiet = false } = {}) {
  if (sent || !picture) return null;
  sent = { button, seq: null };
  button?.setAttribute("data-sent", say("sent"));
  document.body.setAttribute("data-busy", "yes");
  tell("");
  const { dataset } = document.body;
  const body = { key: crypto.randomUUID(), round: picture.round, expected: picture.seq, command };
  if (pin !== null) body.supervisor_pin = pin;
  const answer = await post(dataset.command, body, RETRIES);
  if (answer?.status === 200) holdUntil(answer.seq);
  else release();
  if (answer === null) tell(say("not_sent"));
  else if (answer.error === "signed_out" || answer.error === "stale_page") location.reload();
  else if (answer.status !== 200 && !quiet) tell(answer.text);
  return answer;
}

/** POST JSON; the answer's body with its `status`, or null where the server gave none. */
export async function post(address, body, tries = 1) {
  for (let left = tries; left > 0; left -= 1) {
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": one('meta[name="csrf-token"]').content },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(WAIT_MS),
      });
      return { ...(await response.json()), status: response.status };
    } catch {
      if (left > 1) await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  return null;
}
