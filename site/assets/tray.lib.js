import { el, local, base, say } from "./dom.lib.js";

// The tray: entries that the reader picked from lists, at most ten. It is kept while the
// window is open, so that what is picked on several pages is compared.
const most = 10;
const kept = "picked";
const picked = new Set(read());
let tray;

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? "[]");
  } catch {
    return [];
  }
}

function show() {
  try {
    sessionStorage.setItem(kept, JSON.stringify([...picked]));
  } catch {
    // Without storage the tray holds for this page.
  }
  tray ??= document.body.appendChild(el("div", { class: "tray", role: "region", "aria-label": say("Compare the chosen entries") }));
  tray.hidden = picked.size === 0;
  const link = el("a", { class: "btn btn-main", href: `${base}${local}/compare?ids=${[...picked].join(",")}` }, `${say("Compare the chosen entries")} (${picked.size})`);
  const clear = el("button", { class: "btn", type: "button" }, say("Clear all"));
  clear.addEventListener("click", () => {
    picked.clear();
    for (const box of document.querySelectorAll(".pick")) box.checked = false;
    show();
  });
  tray.replaceChildren(el("div", { class: "wrap" }, link, clear));
}

// pickers puts a box on each row of a list.
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
    row.querySelector(".row-score").append(el("label", { class: "small soft" }, box, ` ${say("Compare")}`));
  }
  if (picked.size) show();
}
