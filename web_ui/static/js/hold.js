// A key that must be held: a ring fills for 800 ms, and only a full ring does something.

const HOLD_MS = 800;

export function onHold(button, done) {
  let timer = 0;

  function start(event) {
    if (button.disabled || event.button > 0) return;
    button.setPointerCapture?.(event.pointerId);
    button.dataset.holding = "yes";
    timer = setTimeout(() => {
      stop();
      done();
    }, HOLD_MS);
  }

  function stop() {
    clearTimeout(timer);
    delete button.dataset.holding;
  }

  button.addEventListener("pointerdown", start);
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(kind, stop);
}
