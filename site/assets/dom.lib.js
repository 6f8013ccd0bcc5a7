// What the modules of the site share.
const html = document.documentElement;

export const lang = html.lang;

// local begins the addresses of pages in the language of this one, base is the path under
// which the register lies: the brand leads to its root.
export const local = lang === "en" ? "" : `/${lang}`;
const root = new URL(document.querySelector(".brand").href).pathname.replace(/\/$/, "");
export const base = local && root.endsWith(local) ? root.slice(0, -local.length) : root;

let words = {};

// say is a string of the interface in the reader's language, by its English
// form.
export const say = (text) => words[text] ?? text;

// el makes an element; text never becomes markup.
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) node.setAttribute(key, value);
  node.append(...children.filter((c) => c != null));
  return node;
}

// copying makes a button copy the code that it stands beside.
export function copying(button) {
  const label = say("Copy");
  button.hidden = false;
  button.textContent = label;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const box = button.closest(".code, details") ?? button.parentElement;
    await navigator.clipboard.writeText(box.querySelector("pre, .field").textContent);
    button.textContent = say("Copied");
    button.classList.add("copied");
    setTimeout(() => { button.textContent = label; button.classList.remove("copied"); }, 2000);
  });
}

// learn reads what modules say in the language of the page.
export async function learn() {
  const file = html.getAttribute(`data-strings-${lang}`);
  if (!file) return;
  const answer = await fetch(file);
  if (answer.ok) words = await answer.json();
}
