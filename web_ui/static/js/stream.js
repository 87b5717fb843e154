// The page's event stream: it comes back by itself as soon as the server answers, however long it was away.

const SILENT_MS = 6000;
const ASK_EVERY_MS = 1000;
const TICK_MS = 500;

/** Listen to the stream that the page names. Gives a function: for how many milliseconds nothing was heard. */
export function openStream({ message, heartbeat }) {
  const address = document.body.dataset.stream;
  let source = null;
  let epoch = null;
  let opened = 0;
  let heard = null;

  function open() {
    opened = performance.now();
    source = new EventSource(address);
    source.addEventListener("message", (event) => {
      heard = performance.now();
      const picture = JSON.parse(event.data);
      if (epoch !== null && picture.epoch !== epoch) {
        location.reload(); // another run of the server: its page may be another too
        return;
      }
      epoch = picture.epoch;
      message(picture);
    });
    source.addEventListener("heartbeat", (event) => {
      heard = performance.now();
      heartbeat(JSON.parse(event.data));
    });
  }

  async function ask() {
    const now = performance.now();
    const refused = source.readyState === EventSource.CLOSED;
    const silent = now - (heard ?? 0) > SILENT_MS && now - opened > SILENT_MS;
    if ((!refused && !silent) || !(await answers())) return;
    if (refused) location.reload(); // the page may be out of date too, or its reader no longer signed in
    else {
      source.close();
      open();
    }
  }

  open();
  setInterval(ask, ASK_EVERY_MS);
  return () => (heard === null ? Infinity : performance.now() - heard);
}

/** Whether the server answers; nothing is loaded anew before it does. */
async function answers() {
  try {
    const answer = await fetch("/alive", { cache: "no-store", signal: AbortSignal.timeout(2000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Tell how old the picture is, in seconds, while nothing is heard; null as soon as something is. */
export function watchAge(silentFor, tell) {
  const started = performance.now();
  let stale = false;
  setInterval(() => {
    const silent = Math.min(silentFor(), performance.now() - started);
    if (silent <= SILENT_MS) {
      if (stale) tell(null);
      stale = false;
      return;
    }
    stale = true;
    tell(Math.floor(silent / 1000));
  }, TICK_MS);
}
