// What every page has: the reader's language, copying, ages of times, the
// slash that leads to the search, and the tray of entries to compare.
import { base, el, lang, remember, say, translate, wish } from "./dom.lib.js";

for (const link of document.querySelectorAll("[data-lang]")) {
  link.addEventListener("click", (event) => {
    remember(link.dataset.lang);
    if (new URL(link.href).pathname.replace(/\/$/, "") !== `${base}${link.dataset.lang === "en" ? "" : `/${link.dataset.lang}`}` || lang !== "en" || location.pathname === `${base}/`) return;
    event.preventDefault();
    location.reload();
  });
}

const wanted = wish();
if (wanted !== "en") await translate(wanted).catch(() => {});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const box = button.closest("figure") ?? button.parentElement;
    await navigator.clipboard.writeText((box.querySelector("pre, .field")).textContent);
    const label = button.textContent;
    button.textContent = say("Copied");
    button.classList.add("copied");
    setTimeout(() => { button.textContent = label; button.classList.remove("copied"); }, 2000);
  });
}

const units = [["day", 864e5], ["hour", 36e5], ["minute", 6e4]];
const ages = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
for (const time of document.querySelectorAll("time[datetime*=T]")) {
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

// The tray: entries that the reader picked from lists, at most ten.
const most = 10;
const picked = new Set();
let tray;

function show() {
  tray ??= document.body.appendChild(el("div", { class: "tray", role: "region", "aria-label": say("Compare the chosen entries") }));
  tray.hidden = picked.size === 0;
  const link = el("a", { class: "btn btn-main", href: `${base}/compare?ids=${[...picked].join(",")}` }, `${say("Compare the chosen entries")} (${picked.size})`);
  tray.replaceChildren(el("div", { class: "wrap" }, link));
}

export function pickers(list) {
  for (const row of list.querySelectorAll("[data-slug]")) {
    const box = el("input", { type: "checkbox", class: "pick" });
    box.checked = picked.has(row.dataset.slug);
    box.addEventListener("change", () => {
      if (box.checked && picked.size >= most) box.checked = false;
      else if (box.checked) picked.add(row.dataset.slug);
      else picked.delete(row.dataset.slug);
      show();
    });
    const state = row.querySelector(".row-score");
    state.append(el("label", { class: "small soft" }, box, ` ${say("Compare")}`));
  }
}
for (const list of document.querySelectorAll(".rows")) pickers(list);
