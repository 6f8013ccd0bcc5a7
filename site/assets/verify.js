// Checks a bundle of evidence in the browser: nothing leaves it, and nothing is asked.
import { base, el } from "./dom.lib.js";
import { verify } from "./verify.lib.js";

const form = document.querySelector("[data-verify]");
const verdict = document.querySelector("[data-verdict]");
const words = verdict.dataset;

const line = (good, text) => el("li", {}, `${good ? "✓" : "○"} ${text}`);

function show(result, trusted) {
  const { entry, manifest, scores, log, record, bound } = result;
  const list = [line(true, words.hashes),
    line(true, `${words.scores} mqa ${scores.mqa_score}, trust ${scores.trust_score}, ranking ${scores.ranking_score}`)];
  if (log) list.push(line(true, `${words.log} ${log.leaves} / ${log.size}`));
  else list.push(line(false, words.none));
  if (log && bound) list.push(line(true, words.bound));
  if (record) list.push(line(true, words.record));
  if (log && !trusted) list.push(line(false, `${words.compare} ${log.keys.at(-1)}`));
  verdict.replaceChildren(el("section", { class: "part" }, el("h2", { translate: "no" }, document.documentElement.lang === "en" && entry.name_en || entry.name), el("p", { class: "small soft" }, `${manifest.entry_id} · ${manifest.snapshot}`), el("ul", {}, ...list)));
  verdict.dataset.state = "verified";
}

// check shows what a file proves, and returns it; undefined where it proves nothing.
async function check(file) {
  if (!file) return;
  const trusted = form.elements.key.value.trim();
  delete verdict.dataset.state;
  try {
    const result = await verify(new Uint8Array(await file.arrayBuffer()), trusted);
    show(result, trusted);
    return result;
  } catch (error) {
    verdict.replaceChildren(el("section", { class: "part" }, el("h2", {}, words.refused), el("p", { lang: "en" }, error.message)));
    verdict.dataset.state = "refused";
  }
}

const again = () => check(form.elements.bundle.files[0]);
form.addEventListener("change", again);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  again();
});
for (const kind of ["dragover", "drop"]) {
  addEventListener(kind, (event) => {
    event.preventDefault();
    if (kind === "drop") check(event.dataTransfer.files[0]);
  });
}

// An entry's page leads here with its id, a reader perhaps with its slug: its evidence is fetched, then
// checked as any file. The publisher's record is led to unless the evidence says that none is kept.
const name = new URLSearchParams(location.search).get("entry");
if (name) {
  const at = `${base}/api/v1/entries/${encodeURIComponent(name)}`;
  const response = await fetch(`${at}/bundle.zip`);
  const result = response.ok && await check(new File([await response.blob()], `${name}.zip`));
  if (response.status !== 404) form.after(el("p", {}, el("a", { href: `${at}/bundle.zip`, download: `${name}.zip` }, words.evidence), ...(result && !result.record ? [] : [" · ", el("a", { href: `${at}/record` }, words.published)])));
}
