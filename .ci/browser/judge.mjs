// Judges one page of each kind in a real browser: node judge.mjs DIR [EXTREMES]
// No violation found by axe-core in light, dark and forced colours, wide and at
// 360 pixels; no console error; no request to another origin; no overflow.
// EXTREMES is a second site, whose entries are only looked at for overflow.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { kinds, launch, routesOf, serve } from "./site.mjs";

const [dir, extremes] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const views = [{ name: "wide", width: 1280, height: 900 }, { name: "phone", width: 360, height: 740 }];
const modes = [{ name: "light", media: { colorScheme: "light", forcedColors: "none" } }, { name: "dark", media: { colorScheme: "dark", forcedColors: "none" } },
  { name: "forced", media: { colorScheme: "light", forcedColors: "active" } }];
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };

// Colours are all that differs between the modes, so all rules run once and
// those about colours each time.
const colours = ["color-contrast", "link-in-text-block"];

async function runAxe(page, only) {
  return page.evaluate(async (rules) => {
    const options = { resultTypes: ["violations"], runOnly: rules ? { type: "rule", values: rules } : { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] } };
    const { violations } = await axe.run(document, options);
    return violations.flatMap((v) => v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(" ")} (${(n.any[0] ?? n.all[0] ?? n.none[0])?.message ?? v.help})`));
  }, only);
}

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
  const csp = answer.headers()["content-security-policy"] ?? "";
  if (!csp.includes("default-src 'none'") || csp.includes("unsafe")) fault(`${place}: content security policy ${csp}`);
  await page.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (over > 0) fault(`${place}: ${over} pixels too wide`);
  if (!onlyLayout) {
    await page.evaluate(axe);
    for (const mode of modes) {
      await page.emulateMedia(mode.media);
      for (const v of await runAxe(page, mode.name === "light" ? undefined : colours)) fault(`${place}, ${mode.name}: ${v}`);
    }
  }
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
