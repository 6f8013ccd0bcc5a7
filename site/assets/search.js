// The search page: results in place as the reader types, filters or goes back. The form
// and the links work without this, too.
import { base, lang, say } from "./dom.lib.js";
import { pickers } from "./tray.lib.js";

const form = document.querySelector("[data-search]");
const part = (name, within = form) => within.querySelector(`[data-${name}]`);
const local = lang === "en" ? "" : `/${lang}`;
let latest = 0;

// address is that of what the form says.
function address() {
  const values = new Map();
  for (const [name, value] of new FormData(form)) if (value) values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  return `?${new URLSearchParams([...values])}`;
}

// fill puts what an address says into the fields that answers do not replace.
function fill(query) {
  const asked = new URLSearchParams(query);
  for (const field of form.elements) if (field.name && field.type !== "checkbox") field.value = asked.get(field.name) ?? "";
}

// swap shows a part of an answer. What has the focus keeps it.
function swap(name, page) {
  const old = part(name);
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const open = new Set([...old.querySelectorAll("details[open] > summary")].map((s) => s.textContent));
  old.replaceChildren(...part(name, page).childNodes);
  for (const summary of old.querySelectorAll("details > summary")) if (open.has(summary.textContent)) summary.parentElement.open = true;
  if (held?.name) for (const field of old.querySelectorAll("input")) if (field.name === held.name && field.value === held.value) field.focus({ preventScroll: true });
}

// show asks for an address and shows the answer; how is pushState, replaceState or nothing.
async function show(query, how) {
  const turn = ++latest;
  try {
    const response = await fetch(`${base}${local}/search${query}`, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (turn !== latest) return;
    if (!part("results", page)) throw new Error(response.statusText);
    for (const name of ["count", "chosen", "facets", "results"]) swap(name, page);
    const sort = form.elements.sort_by;
    sort.replaceChildren(...page.querySelector("[name=sort_by]").childNodes);
    sort.value = new URLSearchParams(query).get("sort_by") ?? "";
    for (const list of form.querySelectorAll(".rows")) pickers(list);
    if (how) history[how](null, "", query === "?" ? location.pathname : query);
  } catch {
    if (turn === latest) part("results").textContent = say("The search is not available at the moment. Please try again, or browse the register.");
  }
}

// A run of typing is one step back, and so is each other change.
let pause;
let typing = false;
form.addEventListener("input", (event) => {
  clearTimeout(pause);
  if (!form.checkValidity()) return;
  const typed = event.target.matches("[type=search], [type=text]");
  const how = typed && typing ? "replaceState" : "pushState";
  pause = setTimeout(() => { typing = typed; show(address(), how); }, typed ? 250 : 0);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  const same = address() === location.search;
  typing = false;
  show(address(), same ? "" : "pushState");
});
form.addEventListener("click", (event) => {
  const link = event.target.closest("[data-chosen] a, .pages a[rel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  typing = false;
  fill(link.search);
  show(link.search, "pushState").then(() => { if (link.rel) form.scrollIntoView(); });
});
addEventListener("popstate", () => {
  clearTimeout(pause);
  typing = false;
  fill(location.search);
  show(location.search || "?", "");
});

// A static host knows no results: an address with a question asks for them.
if (location.search && !part("results").querySelector(".rows, .note")) {
  fill(location.search);
  show(location.search, "");
}
