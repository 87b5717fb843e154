// An event stream that comes back by itself: opened anew as soon as the server answers, however long it was away.

const SILENT_MS = 6000;
const ASK_EVERY_MS = 1000;

/** Listen to the page's stream; `silentFor` says how many milliseconds nothing was heard. */
export function openStream({ message, heartbeat, silentFor }) {
  const address = document.body.dataset.stream;
  let source = null;
  let epoch = null;
  let opened = 0;

  function open() {
    opened = performance.now();
    source = new EventSource(address);
    source.addEventListener("message", (event) => {
      const picture = JSON.parse(event.data);
      if (epoch !== null && picture.epoch !== epoch) {
        location.reload(); // another run of the server: its page may be another too
        return;
      }
      epoch = picture.epoch;
      message(picture);
    });
    source.addEventListener("heartbeat", (event) => heartbeat(JSON.parse(event.data)));
  }

  async function ask() {
    const refused = source.readyState === EventSource.CLOSED;
    const silent = silentFor() > SILENT_MS && performance.now() - opened > SILENT_MS;
    if (!refused && !silent) return;
    try {
      const answer = await fetch("/alive", { cache: "no-store", signal: AbortSignal.timeout(2000) });
      if (!answer.ok) return;
    } catch {
      return;
    }
    if (refused && epoch !== null) location.reload(); // the stream was refused: the page may be out of date too
    else {
      source.close();
      open();
    }
  }

  open();
  setInterval(ask, ASK_EVERY_MS);
}
