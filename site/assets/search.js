// A list of entries: results in place as the reader types, filters or goes back. The form
// and the links work without this, too.
import { base, local, say } from "./dom.lib.js";
import { pickers } from "./tray.lib.js";

const form = document.querySelector("[data-search]");
const part = (name, within = document) => within.querySelector(`[data-${name}]`);
const route = `${base}${local}/search`;
let latest = 0;
// shown is the address whose answer is on the page; a step to a fragment of it is none.
let shown = location.pathname + location.search;

// fields are what the form says; seek, the name of one in which a value is looked for, too.
function address(seek) {
  const values = new Map();
  for (const [name, value] of new FormData(form)) {
    if (!value || (name.startsWith("find_") && name !== seek)) continue;
    values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  }
  return `${route}?${new URLSearchParams([...values])}`;
}

// fill puts what an address says into the fields that answers do not replace.
function fill(query) {
  const asked = new URLSearchParams(query);
  for (const field of form.elements) if (field.name && field.type !== "checkbox") field.value = asked.get(field.name) ?? "";
}

// swap shows a part of an answer. What has the focus keeps it, and what was unfolded stays so.
function swap(name, page) {
  const [old, fresh] = [part(name), part(name, page)];
  if (!old || !fresh) return;
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const open = new Set([...old.querySelectorAll("details[open]")].map(label));
  old.replaceChildren(...fresh.childNodes);
  for (const details of old.querySelectorAll("details")) if (open.has(label(details))) details.open = true;
  if (!held?.name) return;
  for (const field of old.querySelectorAll("input")) {
    if (field.name !== held.name || (field.type === "checkbox" && field.value !== held.value)) continue;
    field.focus({ preventScroll: true });
    if (field.type === "search") { field.value = held.value; field.setSelectionRange(held.value.length, held.value.length); }
  }
}
const label = (details) => `${details.closest("[data-facet]")?.dataset.facet} ${details.className}`;

async function get(to) {
  const response = await fetch(to, { headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!part("results", page)) throw new Error(response.statusText);
  return page;
}

// show asks for an address and shows the answer; how is pushState, replaceState or nothing.
async function show(to, how) {
  const turn = ++latest;
  try {
    const page = await get(to);
    if (turn !== latest) return;
    for (const name of ["head", "count", "chosen", "facets", "results"]) swap(name, page);
    document.querySelector(".to-side").replaceChildren(...page.querySelector(".to-side").childNodes);
    document.title = page.title;
    const sort = form.elements.sort_by;
    sort.replaceChildren(...page.querySelector("[name=sort_by]").childNodes);
    sort.value = new URL(to, location).searchParams.get("sort_by") ?? "";
    for (const list of document.querySelectorAll("[data-results] .rows")) pickers(list);
    if (how) history[how](null, "", to + location.hash);
    shown = to;
  } catch {
    if (turn === latest) part("results").textContent = say("The search is not available at the moment. Please try again, or browse the register.");
  }
}

// look shows the values of a filter that have a name, and nothing else of the answer.
async function look(field) {
  const turn = ++latest;
  try {
    const page = await get(address(field.name));
    const [old, fresh] = [document, page].map((d) => d.querySelector(`[data-facet="${field.name.slice(5)}"]`));
    if (turn !== latest || !fresh) return;
    for (const child of [...old.children]) if (child.matches("label, details, p")) child.remove();
    old.append(...[...fresh.children].filter((child) => child.matches("label, details, p")));
  } catch {
    // The values that are there stay.
  }
}

// A run of typing is one step back, and so is each other change.
let pause;
let typing = false;
document.addEventListener("input", (event) => {
  if (event.target.form !== form) return;
  clearTimeout(pause);
  if (!form.checkValidity()) return;
  const typed = event.target.matches("[type=search], [type=text]");
  if (event.target.matches(".seek")) {
    pause = setTimeout(() => look(event.target), 200);
    return;
  }
  const how = typed && typing ? "replaceState" : "pushState";
  pause = setTimeout(() => { typing = typed; show(address(), how); }, typed ? 250 : 0);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  typing = false;
  show(address(), address() === shown ? "" : "pushState");
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-chosen] a, [data-results] .pages a[rel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || new URL(link.href).pathname !== route) return;
  event.preventDefault();
  typing = false;
  fill(link.search);
  show(link.pathname + link.search, "pushState").then(() => { if (link.rel !== "nofollow") form.scrollIntoView(); });
});
addEventListener("popstate", () => {
  const to = location.pathname + location.search;
  if (to === shown) return;
  clearTimeout(pause);
  typing = false;
  if (location.pathname !== route) location.reload(); // a page of its own
  else { fill(location.search); show(to, ""); }
});

// A static host knows no results: an address with a question asks for them.
if (location.pathname === route && location.search && !part("results").querySelector(".rows, .note")) {
  fill(location.search);
  show(shown, "");
}
