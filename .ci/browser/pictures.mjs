// Takes the pictures of the README and the card that social networks show from
// a built site: node pictures.mjs DIR. Run it when the look changes; the files
// are part of the sources. Like the judges it runs beside the installed modules:
// cp .ci/browser/*.mjs .cache/node/browser/ && node .cache/node/browser/pictures.mjs DIR
import { launch, serve } from "./site.mjs";

//
//	node pictures.mjs SITE [NATIONAL]
//
// NATIONAL is the site of a whole national catalogue, of which pictures show how
// its lists look.
const [dir, national] = process.argv.slice(2);
const browser = await launch();
if (national) {
  const { base, stop } = await serve(national);
  const publisher = (await (await fetch(`${base}/api/v1/entries/facets`)).json()).facets.institution_id[1].value;
  for (const s of [{ name: "national-home", route: "/", width: 1200, height: 1400 }, { name: "national-results", route: "/fr/search?q=cadastre&type=DATASET", width: 1200, height: 860 },
    { name: "national-phone", route: "/nl/search?q=bodem", width: 360, height: 740 }, { name: "national-theme", route: "/de/browse/theme/envi", width: 1200, height: 860 },
    { name: "national-publisher", route: `/institution/${publisher}`, width: 1200, height: 860 }]) {
    const page = await browser.newPage({ viewport: { width: s.width, height: s.height }, colorScheme: "light" });
    await page.goto(base + s.route, { waitUntil: "networkidle" });
    await page.screenshot({ path: `site/pictures/${s.name}.png` });
    await page.close();
  }
  await stop();
}
const { base, stop } = await serve(dir);
const shots = [
  { name: "home", route: "/", scheme: "light", width: 1200, height: 780 },
  { name: "entry", route: "/entry/base-adresse-nationale", scheme: "light", width: 1200, height: 860 },
  { name: "search-dark", route: "/search?q=air+quality", scheme: "dark", width: 1200, height: 700 },
  { name: "phone", route: "/entry/base-adresse-nationale", scheme: "dark", width: 390, height: 780 },
];
for (const s of shots) {
  const page = await browser.newPage({ viewport: { width: s.width, height: s.height }, colorScheme: s.scheme });
  await page.goto(base + s.route, { waitUntil: "networkidle" });
  await page.screenshot({ path: `site/pictures/${s.name}.png` });
  await page.close();
}
const card = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: "light", bypassCSP: true });
await card.goto(`${base}/`, { waitUntil: "networkidle" });
await card.evaluate(() => {
  const mark = `<img alt="" width="64" height="64" src="${document.querySelector("link[rel=icon]").href}">`;
  document.body.innerHTML = `<div style="padding:84px;display:grid;gap:34px;align-content:center;height:630px;border-top:14px solid var(--brass)">
    <p style="display:flex;gap:22px;align-items:center;font:600 54px/1 var(--serif)">${mark}Assay</p>
    <h1 style="font-size:76px;max-width:17ch">Official public data, tested before you use it</h1>
    <p style="font-size:32px;color:var(--soft)">APIs, datasets and MCP servers, each with the evidence</p></div>`;
});
await card.screenshot({ path: "site/assets/card.png" });
await browser.close();
await stop();
