// The page's event stream and its watchdog: what is old says so, and nothing is loaded anew before the server answers.

const STALE_MS = 6000;
const TICK_MS = 500;
const ASK_EVERY_MS = 1000;

/**
 * Listen to the stream that the page names.
 *
 * `picture` gets each whole message, `beat` each heartbeat, `age` the seconds since either, or null while all is live.
 */
export function listen({ picture, beat, age }) {
  const address = document.body.dataset.stream;
  let source = null;
  let epoch = null;
  let heard = performance.now();
  let asked = 0;
  let stale = false;

  function open() {
    source = new EventSource(address);
    source.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      live();
      if (epoch !== null && message.epoch !== epoch) {
        location.reload(); // another run of the server: its page may be another too
        return;
      }
      epoch = message.epoch;
      picture(message);
    });
    source.addEventListener("heartbeat", (event) => {
      live();
      beat(JSON.parse(event.data));
    });
  }

  function live() {
    heard = performance.now();
    if (stale) {
      stale = false;
      age(null);
    }
  }

  async function ask() {
    try {
      const answer = await fetch("/alive", { cache: "no-store", signal: AbortSignal.timeout(2000) });
      if (!answer.ok) return;
    } catch {
      return;
    }
    if (source.readyState === EventSource.CLOSED) location.reload(); // the stream was refused: the page may be too
    else if (performance.now() - heard > STALE_MS) {
      source.close();
      open();
    }
  }

  function tick() {
    const silent = performance.now() - heard;
    if (silent > STALE_MS) {
      stale = true;
      age(Math.floor(silent / 1000));
    }
    const broken = stale || source.readyState === EventSource.CLOSED;
    if (broken && performance.now() - asked > ASK_EVERY_MS) {
      asked = performance.now();
      ask();
    }
  }

  open();
  setInterval(tick, TICK_MS);
}
