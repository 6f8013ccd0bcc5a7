import { base, el, say } from "./dom.lib.js";

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
    const state = row.querySelector(".row-score");
    state.append(el("label", { class: "small soft" }, box, ` ${say("Compare")}`));
  }
}
