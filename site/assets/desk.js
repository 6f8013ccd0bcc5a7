// The queue by keyboard; every key does what a form of the page does without it.
const form = document.querySelector("[data-bulk]");
const cards = [...document.querySelectorAll("[data-candidate]")];
const boxes = cards.map((card) => card.querySelector("input[name=item]"));
const all = document.querySelector("[data-all]");
const help = document.querySelector("#keys");

const here = () => cards.findIndex((card) => card.contains(document.activeElement));
const typing = (node) => node.matches("textarea, select, input:not([type=checkbox]):not([type=radio])");

function count() {
  const chosen = boxes.filter((box) => box.checked).length;
  document.querySelector("[data-count]").textContent = chosen;
  all.checked = chosen === boxes.length;
  all.indeterminate = chosen > 0 && chosen < boxes.length;
}

function choose(checked) {
  for (const box of boxes) box.checked = checked;
  count();
}

function go(step) {
  const at = Math.min(Math.max(here() + step, 0), boxes.length - 1);
  boxes[at]?.focus();
  cards[at]?.scrollIntoView({ block: "nearest" });
}

// decide sends the form, once it has a reason: without one the reason is asked for, and Enter
// sends what was chosen before.
let wanted = null;
function decide(action) {
  if (!form) return;
  if (!boxes.some((box) => box.checked) && here() >= 0) boxes[here()].checked = true;
  count();
  wanted = form.querySelector(`button[value=${action}]`);
  const missing = action === "merge" && !form.elements.into.value ? form.elements.into : form.elements.reason;
  if (missing.value || action === "assign") form.requestSubmit(wanted);
  else missing.focus();
}

const keys = {
  j: () => go(1),
  k: () => go(-1),
  x: () => here() >= 0 && (boxes[here()].checked = !boxes[here()].checked, count()),
  A: () => form && choose(!boxes.every((box) => box.checked)),
  o: () => here() >= 0 && (cards[here()].querySelector("[data-more]").open ^= true),
  a: () => decide("approve"),
  r: () => decide("reject"),
  m: () => decide("merge"),
  t: () => decide("assign"),
  p: () => form && (form.elements.preview.checked = !form.elements.preview.checked),
  u: () => document.querySelector("[data-undo]")?.requestSubmit(),
  "/": () => document.querySelector("[data-find]")?.focus(),
  "?": () => help && (help.open = !help.open, help.open && help.querySelector("summary").focus()),
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Enter" && wanted && form.contains(event.target) && typing(event.target)) {
    event.preventDefault();
    if (event.target === form.elements.into) form.elements.reason.focus();
    else form.requestSubmit(wanted);
    return;
  }
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

if (form) {
  document.querySelector("[data-all-line]").hidden = false;
  all.addEventListener("change", () => choose(all.checked));
  for (const box of boxes) box.addEventListener("change", count);
  count();
}
