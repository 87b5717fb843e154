// The dealer's screen: each picture from the stream is drawn, each key gives one order.

import { enable, facts, make, one, say, setAttribute, setText, show } from "./dom.js";
import { drawGrid, drawHands, slotAt } from "./cards.js";
import { startClock, tellClosing, tellTime } from "./clock.js";
import { asking, close, prepareDialogs } from "./dialogs.js";
import { drawCamera } from "./dispute.js";
import * as exceptions from "./exceptions.js";
import { arming, ignoreKeyboard, tellAge, wake, watchSleep } from "./guard.js";
import { onHold } from "./hold.js";
import { drawSeats, listenToSeats } from "./seats.js";
import { arrived, busy, order, post } from "./send.js";
import { openStream, watchAge } from "./stream.js";
import { drawProgress, drawVoid, drawWorksheet, listenToWorksheet } from "./worksheet.js";

const { dataset } = document.body;
const key = (name) => one(`[data-key="${name}"]`);
const primary = one("[data-primary]");
const armPrimary = arming(primary);

let picture = null;
let manual = dataset.demo === "" || dataset.demoManual === "yes";
let asked = ""; // the place for which the card grid was last opened by itself

const canPress = () => dataset.signedIn !== "" && manual;

function draw() {
  if (!picture) return;
  dataset.keys = canPress() ? "yes" : "no";
  setAttribute(document.body, "data-phase", picture.phase);
  setAttribute(document.body, "data-step", picture.next.step);
  setText(one("[data-state-words]"), picture.state);
  setText(one("[data-game-number]"), picture.round ?? "–");
  setText(one("[data-verdict]"), [picture.verdict, picture.unverified ? say("unverified") : ""].filter(Boolean).join(" · "));
  drawHands(picture.hands, picture.next.step === "deal" ? picture.next.place : null);
  drawSeats(picture, canPress());
  drawProgress(picture);
  drawWorksheet(picture);
  drawVoid(picture);
  drawBanner();
  setText(one("[data-remark]"), picture.remark);
  drawLamps();
  drawCamera(picture, canPress());
  drawKeys();
  tellClosing(picture.closes_at);
  exceptions.sawPicture(picture);
  exceptions.drawMenu();
  askWhatIsAsked();
}

// --- notices ---------------------------------------------------------------------------------------------------------

function drawBanner() {
  const banner = one("[data-banner]");
  const [notice] = picture.next.step === "look" || picture.next.step === "confirm_count" ? picture.notices : [];
  show(banner, Boolean(notice));
  if (!notice || (banner.dataset.notice === String(notice.id) && banner.dataset.keys === dataset.keys)) return;
  banner.dataset.notice = notice.id;
  banner.dataset.keys = dataset.keys;
  const choice = (name, command) =>
    command && make("button", { type: "button", class: "key", "data-key": name, disabled: !canPress(), onclick: (event) => order(command, { button: event.currentTarget }) }, say(name));
  banner.replaceChildren(
    make("h2", {}, make("span", { "aria-hidden": "true" }, "⚠ "), notice.text),
    make("p", {}, `${notice.after} ${notice.detail}`),
    make("div", { class: "choices" }, choice("there", notice.there), choice("none", notice.none)),
  );
}

function drawLamps() {
  const lost = picture.readers.find((reader) => !reader.online);
  const [first] = picture.readers;
  const lamp = one('[data-lamp="reader"]');
  setAttribute(lamp, "data-lit", lost ? "bad" : first ? "good" : "off");
  setText(lamp, lost ? `▲ ${say("reader_lost", { name: lost.name })}` : first ? `● ${say("reader_ok", { name: first.name })}` : `○ ${say("no_reader")}`);
  const call = key("call-supervisor");
  setAttribute(call, "data-called", picture.called ? "yes" : "no");
  setText(call, picture.called ? `⚑ ${say("called")}` : say("call"));
  enable(call, dataset.signedIn !== "" && !picture.called);
}

function drawLink(live) {
  const lamp = one('[data-lamp="link"]');
  setAttribute(lamp, "data-lit", live ? "good" : "bad");
  setText(lamp, live ? `● ${say("link_ok")}` : `▲ ${say("link_lost")}`);
}

// --- the keys --------------------------------------------------------------------------------------------------------

/** What the primary key does without an order of its own: it opens the dialog the step asks for. */
const OPENS = {
  enter_card: () => exceptions.enterCard(picture.next.place),
  state_amounts: exceptions.stateAmounts,
  confirm_count: exceptions.countCards,
};

function drawKeys() {
  const { step, command } = picture.next;
  const may = canPress();
  const picking = exceptions.isPicking();
  setText(primary, picture.next.key);
  armPrimary(`${step}:${picture.next.place}:${JSON.stringify(command)}`, may && !picking && (command !== null || step in OPENS));
  enable(one("[data-undo]"), may && picture.can.undo);
  enable(key("more"), may);
  show(key("back"), picking);
  show(key("double"), may && picture.can.double);
  show(key("open-new"), may && step === "open_round" && picture.can.repeat);
  show(key("enter-next"), may && step === "deal" && picture.next.open);
  show(key("different"), may && !picking && (step === "turn_hole_cards" || step === "settle_seat"));
  show(key("go-sign-in"), dataset.signedIn === "");
  const takeOver = key("take-over");
  if (takeOver) show(takeOver, dataset.signedIn !== "" && !manual);
  const robot = one("[data-watching]");
  show(robot, !manual);
  setText(robot, say("robot"));
}

function pressPrimary() {
  if (!picture || primary.disabled || busy()) return;
  const { step, command } = picture.next;
  if (step in OPENS) OPENS[step]();
  else if (command) exceptions.orderOrSign(command, primary);
}

/** A card that must be named next is asked for without a key, once a place; not where the camera will name it. */
function askWhatIsAsked() {
  const { step, place } = picture.next;
  const open = asking();
  if (open !== null && !stillAsked(open)) close();
  if (step !== "enter_card" || !canPress() || picture.camera?.reads) {
    asked = "";
    return;
  }
  if (asked === place) return;
  asked = place;
  exceptions.enterCard(place);
}

/** Whether the card grid still asks for something that can be answered: the card at the place is as it was. */
function stillAsked({ place, had }) {
  const slot = slotAt(picture, place);
  return (slot.card ?? "") === had && (slot.face !== "empty" || picture.next.place === place);
}

function listenToKeys() {
  primary.addEventListener("click", pressPrimary);
  one("[data-undo]").addEventListener("click", (event) => order({ type: "Undo" }, { button: event.currentTarget }));
  key("call-supervisor").addEventListener("click", (event) => order({ type: "CallSupervisor" }, { button: event.currentTarget }));
  key("double").addEventListener("click", (event) => order({ type: "DoubleBets" }, { button: event.currentTarget }));
  key("open-new").addEventListener("click", (event) => order({ type: "OpenRound", repeat: false }, { button: event.currentTarget }));
  key("enter-next").addEventListener("click", () => exceptions.enterCard(picture.next.place));
  key("different").addEventListener("click", () => {
    exceptions.correctHand(picture.next.step === "settle_seat" ? picture.next.seat : 0);
  });
  key("back").addEventListener("click", exceptions.stopPicking);
  exceptions.onPicking(drawKeys);
  key("take-over")?.addEventListener("click", async () => {
    const answer = await post("/demo/take-over", {});
    if (answer?.status === 200) tellManual(answer.manual);
  });
  onHold(key("more"), () => one('[data-dialog="more"]').showModal());
}

function tellManual(now) {
  if (manual === now) return;
  manual = now;
  draw();
}

function heard(message) {
  if (message.plays !== facts.plays) {
    location.reload(); // the table plays otherwise now: other bets, other chips
    return;
  }
  const changed = !picture || picture.seq !== message.seq;
  picture = message;
  arrived(message);
  if (changed) wake();
  draw();
}

function beat(message) {
  tellTime(message.now);
  tellManual(message.manual);
  drawLink(true);
}

ignoreKeyboard();
prepareDialogs();
drawGrid();
listenToSeats();
listenToWorksheet();
listenToKeys();
exceptions.listenToPlaces();
exceptions.listenToMenu();
watchSleep();
startClock();
watchAge(openStream({ message: heard, heartbeat: beat }), (seconds) => {
  drawLink(seconds === null);
  tellAge(seconds);
});
