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

// wish is the language that the reader chose, on this page or before.
export function wish() {
  if (lang !== "en") return lang;
  try {
    return localStorage.getItem("lang") ?? "en";
  } catch {
    return "en";
  }
}

export function remember(code) {
  try {
    localStorage.setItem("lang", code);
  } catch {
    // Without storage the choice holds for this page.
  }
}

// translate puts the strings of a language in place of the English ones; what
// came from outside is marked and stays.
export async function translate(code) {
  const file = html.getAttribute(`data-strings-${code}`);
  if (!file) return;
  const answer = await fetch(file);
  if (!answer.ok) return;
  words = await answer.json();
  if (lang !== "en") return;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node.nodeType === 1 && (node.getAttribute("translate") === "no" || node.nodeName === "SCRIPT") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.nodeType === 3) {
      const text = node.data.trim();
      if (words[text]) node.data = node.data.replace(text, () => words[text]);
    } else {
      for (const name of ["aria-label", "placeholder"]) {
        const text = node.getAttribute(name);
        if (text && words[text]) node.setAttribute(name, words[text]);
      }
    }
  }
  html.lang = code;
  const main = document.querySelector("main");
  for (const native of main.querySelectorAll("[translate=no]:not([lang])")) if (!native.dir) native.lang = "";
}
