// What every page has: the reader's language, copying, ages of times, the
// slash that leads to the search, and the tray of entries to compare.
import { copying, el, learn } from "./dom.lib.js";
import { suggest } from "./suggest.lib.js";
import { pickers } from "./tray.lib.js";

await learn().catch(() => {});

for (const pre of document.querySelectorAll(".samples pre")) {
  const button = el("button", { type: "button", class: "btn btn-s copy" });
  pre.after(button);
  copying(button);
}
for (const button of document.querySelectorAll("[data-copy]")) copying(button);

const units = [["day", 864e5], ["hour", 36e5], ["minute", 6e4]];
const ages = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
// A register with a clock of its own has no ages beside that of the reader.
const aging = document.documentElement.dataset.times === "own" ? [] : document.querySelectorAll("time[datetime*=T]:not(.figures *)");
for (const time of aging) {
  const age = new Date(time.dateTime) - Date.now();
  const [unit, size] = units.find(([, n]) => Math.abs(age) >= n) ?? units[2];
  if (Math.abs(age) < 30 * 864e5) {
    time.title = time.textContent;
    time.textContent = ages.format(Math.round(age / size), unit);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const field = document.querySelector("input[type=search]");
  if (field) { event.preventDefault(); field.focus(); field.select(); }
});

for (const list of document.querySelectorAll(".rows")) pickers(list);
for (const form of document.querySelectorAll("[data-suggest]")) suggest(form);

// What a reader asks for by a button is loaded then.
const later = (name, load) => {
  for (const button of document.querySelectorAll(`[data-${name}]`)) {
    button.hidden = false;
    button.addEventListener("click", async () => (await load()).open(button));
  }
};
later("open", () => import("./look.lib.js"));
later("console", () => import("./console.lib.js"));
if (document.querySelector("[data-picture]")) import("./picture.lib.js");
if (document.querySelector("#cite")) import("./cite.lib.js");
