// Judges one page of each kind in a real browser: node judge.mjs DIR [EXTREMES]
// No violation found by axe-core in light, dark and forced colours, wide and at
// 360 pixels; no console error; no request to another origin; no overflow.
// EXTREMES is a second site, whose entries are only looked at for overflow.
import { judgeHeaders, judgeModes, judgeWidth, modes, views } from "./looks.mjs";
import { kinds, launch, routesOf, serve } from "./site.mjs";

const [dir, extremes] = process.argv.slice(2);
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };

async function look(context, base, route, view, onlyLayout) {
  const page = await context.newPage();
  const place = `${route} (${view.name})`;
  const expected = route === "/no-such-page" ? 404 : 200;
  page.on("console", (m) => { if (m.type() === "error" && expected === 200) fault(`${place}: console: ${m.text()}`); });
  page.on("pageerror", (e) => fault(`${place}: ${e.message}`));
  page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("data:")) fault(`${place}: asks ${r.url()}`); });
  page.on("response", (r) => { if (r.status() >= 400 && r.url() !== base + route) fault(`${place}: ${r.status()} of ${r.url()}`); });
  const answer = await page.goto(base + route, { waitUntil: "load" });
  if (answer.status() !== expected) fault(`${place}: status ${answer.status()}`);
  judgeHeaders(answer, place, fault);
  await judgeWidth(page, place, fault);
  if (!onlyLayout) await judgeModes(page, place, fault);
  await page.close();
}

async function all(site, routes, onlyLayout) {
  const { base, stop } = await serve(site);
  const browser = await launch();
  try {
    for (const view of views) {
      const context = await browser.newContext({ viewport: { width: view.width, height: view.height }, bypassCSP: true });
      const queue = [...routes];
      await Promise.all([0, 1].map(async () => {
        for (let r = queue.shift(); r; r = queue.shift()) await look(context, base, r, view, onlyLayout);
      }));
      await context.close();
    }
  } finally {
    await browser.close();
    await stop();
  }
}

const routes = kinds(dir);
await all(dir, routes, false);
let strange = [];
if (extremes) {
  strange = routesOf(extremes).map((r) => r.route).filter((r) => /^\/(entry\/|browse$|$|country\/)/.test(r));
  await all(extremes, [...strange, "/search?q=a"], true);
}
console.log(`pages: ${routes.length} kinds in ${views.length * modes.length} looks, ${strange.length} extremes; ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
