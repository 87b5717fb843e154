// The camera on the dealer's screen: its lamp, and a hand in which it sees other cards than are recorded.

import { pictureOf } from "./cards.js";
import { make, one, say, setAttribute, setText, show } from "./dom.js";
import { correctDisputed, upholdRecord } from "./exceptions.js";

const LAMPS = {
  watching: { lit: "good", shape: "●", words: "camera_ok" },
  lost: { lit: "bad", shape: "▲", words: "camera_lost" },
  disagrees: { lit: "warn", shape: "◆", words: "camera_disagrees" },
};

/** What a picture shows of the camera; a table without one has no lamp. */
export function drawCamera({ camera, next }, canPress) {
  const lamp = one('[data-lamp="camera"]');
  show(lamp, camera !== null);
  setAttribute(document.body, "data-camera", camera?.role ?? "off");
  setText(one("[data-camera-line]"), camera?.line ?? "");
  drawDispute(next.step === "compare" ? camera.dispute : null, canPress);
  if (!camera) return;
  const { lit, shape, words } = LAMPS[camera.lamp];
  setAttribute(lamp, "data-lit", lit);
  setText(lamp, `${shape} ${say(words)}`);
}

function drawDispute(dispute, canPress) {
  const place = one("[data-dispute]");
  show(place, dispute !== null);
  const drawn = JSON.stringify([dispute, canPress]);
  if (!dispute || place.dataset.drawn === drawn) return;
  place.dataset.drawn = drawn;
  const key = (name, pressed) => make("button", { type: "button", class: "key", "data-key": name, disabled: !canPress, onclick: pressed }, say(name));
  place.replaceChildren(
    make("h2", {}, make("span", { "aria-hidden": "true" }, "⚠ "), dispute.title),
    make("div", { class: "readings" }, reading("recorded", dispute.recorded, "not_seen"), reading("seen", dispute.seen, "not_recorded")),
    make(
      "div",
      { class: "choices" },
      key("uphold", (event) => upholdRecord(dispute, event.currentTarget)),
      key("correct", () => correctDisputed(dispute)),
      dispute.signed ? make("p", {}, say("sign_it")) : null,
    ),
  );
}

/** One of the two readings; each card that the other one lacks is framed and marked, and the mark is explained. */
function reading(name, cards, mark) {
  const shown = cards.map((card) =>
    make("li", { "data-differs": card.differs ? "yes" : "no" }, pictureOf(card), card.differs ? make("strong", {}, "◆") : null),
  );
  const differ = cards.some((card) => card.differs);
  return make(
    "section",
    { class: "reading", "data-reading": name },
    make("header", {}, make("h3", {}, say(name)), differ ? make("strong", {}, say(mark)) : null),
    make("ul", {}, ...shown),
  );
}
