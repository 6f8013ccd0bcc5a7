// The search page: results in place as the reader types or filters. The form
// asks the service without this, too.
import { base, lang, say } from "./dom.lib.js";
import { pickers } from "./tray.lib.js";

const form = document.querySelector("[data-search]");
const results = form.querySelector("[data-results]");
const facets = form.querySelector("[data-facets]");
const local = lang === "en" ? "" : `/${lang}`;
let latest = 0;

function address() {
  const values = new Map();
  for (const [name, value] of new FormData(form)) if (value) values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  return new URLSearchParams([...values]).toString();
}

// recount shows the filters with the counts of the question. What has the focus keeps it.
function recount(fresh) {
  const held = facets.contains(document.activeElement) ? document.activeElement : null;
  facets.replaceChildren(...fresh.childNodes);
  if (held) for (const field of facets.querySelectorAll("input")) if (field.name === held.name && field.value === held.value) field.focus({ preventScroll: true });
}

async function update(push) {
  const query = address();
  const turn = ++latest;
  try {
    const response = await fetch(`${base}${local}/search?${query}`, { headers: { Accept: "text/html" } });
    const text = await response.text();
    if (turn !== latest) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.querySelector("[data-results]");
    if (!fresh) throw new Error(response.statusText);
    results.replaceChildren(...fresh.childNodes);
    recount(page.querySelector("[data-facets]"));
    for (const list of results.querySelectorAll(".rows")) pickers(list);
    history[push ? "pushState" : "replaceState"](null, "", query ? `?${query}` : location.pathname);
  } catch {
    if (turn === latest) results.textContent = say("The search is not available at the moment. Please try again, or browse the register.");
  }
}

let pause;
form.addEventListener("input", (event) => {
  clearTimeout(pause);
  if (!form.checkValidity()) return;
  pause = setTimeout(() => update(false), event.target.type === "checkbox" ? 0 : 250);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  update(true);
});
addEventListener("popstate", () => location.reload());

// A static host knows no results: an address with a question asks for them.
if (location.search && !results.querySelector(".rows, .note")) {
  const asked = new URLSearchParams(location.search);
  for (const field of form.elements) {
    const values = asked.get(field.name)?.split(",") ?? [];
    if (field.type === "checkbox") field.checked = values.includes(field.value);
    else if (field.name && values.length) field.value = asked.get(field.name);
  }
  update(false);
}
