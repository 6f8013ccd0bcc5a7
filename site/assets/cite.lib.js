// What the page of an entry offers besides its citation as text: BibTeX, and a badge with its code.
import { base, copying, el, say } from "./dom.lib.js";

const place = document.querySelector("#cite");
const [by, title, day, page] = (() => {
  const [who, rest] = [place.querySelector("pre span").textContent, place.querySelector("pre").textContent];
  const [, what, ...where] = rest.slice(who.length).match(/^(.*)\. In: .*, (\d{4}-\d\d-\d\d)\. (\S+)$/s);
  return [who.replace(/\. $/, ""), what, ...where];
})();
const slug = page.split("/").at(-1);

// code is text with a button that copies it.
function code(text) {
  const button = el("button", { class: "btn btn-s", type: "button" });
  const box = el("div", { class: "code" }, el("pre", { tabindex: 0, translate: "no" }, text), button);
  copying(button);
  return box;
}

place.querySelector(".code").replaceWith(code(place.querySelector("pre").textContent));

// unfolded is something below a line that opens it.
const unfolded = (label, ...children) => place.append(el("details", { class: "more" }, el("summary", {}, label), ...children));

const escapes = { "\\": "\\textbackslash{}", "~": "\\~{}", "^": "\\^{}", "\n": " " };
const latex = (text) => text.replace(/[\\{}%#&_$~^\n]/g, (c) => escapes[c] ?? `\\${c}`);
unfolded(say("As BibTeX"), code(`@misc{${slug},
  title = {{${latex(title)}}},
${by ? `  author = {{${latex(by)}}},\n` : ""}  year = {${day.slice(0, 4)}},
  note = {As listed on ${day}},
  howpublished = {\\url{${page}}}
}`));

const [register, name] = [page.replace(/(\/[a-z]{2})?\/entry\/[^/]*$/, ""), document.querySelector(".brand").textContent];
const forms = {
  Markdown: (src, alt) => `[![${alt}](${src})](${page})`,
  HTML: (src, alt) => `<a href="${page}"><img src="${src}" alt="${alt}" height="20"></a>`,
  AsciiDoc: (src, alt) => `image:${src}[${alt},link=${page}]`,
  reStructuredText: (src, alt) => `.. image:: ${src}\n   :alt: ${alt}\n   :target: ${page}`,
};
const kinds = { combined: say("Everything"), verified: say("State"), tier: say("Quality tier"), score: say("Quality score"), type: say("Type"), access: say("Access") };
const form = el("div", { class: "chips" });
const choice = (label, options) => {
  const list = el("select", {}, ...Object.entries(options).map(([value, text]) => el("option", { value }, text)));
  form.append(el("label", {}, `${label} `, list));
  list.addEventListener("change", update);
  return list;
};
const picture = el("img", { alt: "", height: 20, loading: "lazy" });
const written = code("");
const kind = choice(say("Shows"), kinds);
const as = choice(say("Written in"), Object.fromEntries(Object.keys(forms).map((form) => [form, form])));
function update() {
  const route = `/api/v1/badges/${slug}/${kind.value}`;
  picture.src = base + route;
  written.firstChild.textContent = forms[as.value](register + route, `${name}: ${kind.value}`);
}
update();
unfolded(say("Badge"), form, el("p", {}, picture), written);
