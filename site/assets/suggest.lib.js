// Suggestions below a search field, as the combobox pattern of WAI-ARIA has them. Without
// the service there are none.
import { base, el, lang, local, say } from "./dom.lib.js";

const kinds = { title: "Title", institution: "Institution", tag: "Topic", theme: "Theme", place: "Place" };
let count = 0;

// suggest completes what is typed into the search field of a form.
export function suggest(form) {
  const field = form.querySelector("input[type=search]");
  const id = `suggestions-${++count}`;
  const list = el("ul", { id, role: "listbox", class: "suggest", "aria-label": say("Suggestions"), hidden: "" });
  field.parentElement.append(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id })) field.setAttribute(name, value);
  let chosen = -1;
  let latest = 0;
  let pause;

  const mark = (n) => {
    chosen = n;
    [...list.children].forEach((option, i) => option.setAttribute("aria-selected", i === n));
    if (n < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", list.children[n].id);
  };
  const close = () => {
    clearTimeout(pause);
    latest++;
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const take = (option) => {
    field.value = option.dataset.text;
    close();
    // A theme or place narrows what is shown; anything else is looked for.
    if (option.dataset.filter) location.assign(`${base}${local}/search?${option.dataset.filter}`);
    else form.requestSubmit();
  };
  const ask = async () => {
    const turn = ++latest;
    try {
      const answer = await fetch(`${base}/api/v1/entries/search/suggestions?limit=8&lang=${lang.slice(0, 2)}&q=${encodeURIComponent(field.value.trim())}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const { suggestions } = await answer.json();
      if (turn !== latest) return;
      mark(-1);
      list.replaceChildren(...suggestions.map((s, i) => el("li", { role: "option", id: `${id}-${i}`, "aria-selected": "false", "data-text": s.text, "data-filter": s.filter },
        el("span", { translate: "no" }, s.text), " ", el("span", { class: "count" }, say(kinds[s.kind] ?? s.kind)))));
      list.hidden = suggestions.length === 0 || document.activeElement !== field;
      field.setAttribute("aria-expanded", String(!list.hidden));
    } catch {
      if (turn === latest) close();
    }
  };

  field.addEventListener("input", () => {
    clearTimeout(pause);
    if (field.value.trim().length < 2) close();
    else pause = setTimeout(ask, 120);
  });
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const last = list.children.length - 1;
    if (event.key === "ArrowDown") mark(chosen === last ? -1 : chosen + 1);
    else if (event.key === "ArrowUp") mark(chosen < 0 ? last : chosen - 1);
    else if (event.key === "Enter" && chosen >= 0) take(list.children[chosen]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  field.addEventListener("blur", close);
  form.addEventListener("submit", close);
  list.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // the field keeps the focus
    const option = event.target.closest("[role=option]");
    if (option) take(option);
  });
}
