// Lets readers keep a picture as SVG, and the table behind it as CSV. Both are made here, of what
// the page shows.
import { el, say } from "./dom.lib.js";

const drawn = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "font-size", "font-family", "text-anchor"];

/** alone is a copy of a picture that has the colours of the page without its style sheet. */
function alone(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of drawn) to[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

const cell = (text) => (/[",\n]/.test(text) || /^[=+@-]/.test(text) && isNaN(text) ? `"${(/^[=+@-]/.test(text) && isNaN(text) ? `'${text}` : text).replaceAll('"', '""')}"` : text);

const csv = (table) => [...table.rows].map((r) => [...r.cells].map((c) => cell(c.dataset.value ?? c.textContent.trim())).join(",")).join("\r\n");

function keep(label, name, media, text) {
  const button = el("button", { class: "btn btn-s", type: "button" }, label);
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([text()], { type: media }));
    el("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  return button;
}

for (const figure of document.querySelectorAll("figure[data-picture]")) {
  const [svg, table] = [figure.querySelector("svg"), figure.querySelector("table")];
  const name = figure.dataset.picture;
  figure.append(el("div", { class: "chips keep", role: "group", "aria-label": say("Keep this picture") },
    svg ? keep("SVG", `${name}.svg`, "image/svg+xml", () => alone(svg)) : null,
    table ? keep("CSV", `${name}.csv`, "text/csv", () => csv(table)) : null));
}
