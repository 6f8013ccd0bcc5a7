// The page of an entry: the choice of a badge.
import { el } from "./dom.lib.js";

const badge = document.querySelector("[data-badge]");
if (badge) {
  const choose = (label, options) => {
    const list = el("select", {}, ...options.map(([value, name]) => el("option", { value }, name)));
    form.append(el("label", {}, `${label} `, list));
    list.addEventListener("change", update);
    return list;
  };
  const form = el("div", { class: "chips" });
  const [picture, code] = [badge.querySelector("img"), badge.querySelector("pre")];
  const [, place, page] = code.textContent.match(/\((.*\/)[^/]*\)\]\((.*)\)/);
  const forms = {
    Markdown: (src, alt) => `[![${alt}](${src})](${page})`,
    HTML: (src, alt) => `<a href="${page}"><img src="${src}" alt="${alt}" height="20"></a>`,
    AsciiDoc: (src, alt) => `image:${src}[${alt},link=${page}]`,
    reStructuredText: (src, alt) => `.. image:: ${src}\n   :alt: ${alt}\n   :target: ${page}`,
  };
  const update = () => {
    picture.src = picture.src.replace(/[^/]+$/, kind.value);
    code.textContent = forms[as.value](place + kind.value, `Assay: ${kind.value}`);
  };
  const kind = choose(badge.dataset.kind, badge.dataset.badge.split(";").map((pair) => pair.split("=")));
  const as = choose(badge.dataset.as, Object.keys(forms).map((name) => [name, name]));
  badge.prepend(form);
}
