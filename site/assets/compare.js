// The comparison in place; the form asks the service without this, too.
import { base, local, say } from "./dom.lib.js";

const form = document.querySelector("[data-compare]");
const results = document.querySelector("[data-results]");

async function update() {
  const ids = form.elements.ids.value.split(/[\s,]+/).filter(Boolean).join(",");
  if (!ids) return;
  try {
    const response = await fetch(`${base}${local}/compare?ids=${encodeURIComponent(ids)}`, { headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-results]");
    if (!fresh) throw new Error(response.statusText);
    results.replaceChildren(...fresh.childNodes);
    history.pushState(null, "", `?ids=${ids}`);
  } catch {
    results.textContent = say("The comparison could not be made.");
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  update();
});
addEventListener("popstate", () => location.reload());
