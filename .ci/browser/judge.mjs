// Judges one page of each kind in a real browser: node judge.mjs DIR [EXTREMES]
// No violation found by axe-core in light, dark and forced colours, wide and at
// 360 pixels; no console error; no request to another origin; no overflow, nor at 768
// pixels. Each kind in another language, too (ASSAY_SOAK: in all), at 360
// pixels in light.
// EXTREMES is a second site, whose entries are only looked at for overflow.
import { judgeHeaders, judgeModes, judgeWidth, modes, views } from "./looks.mjs";
import { abroad, kinds, launch, routesOf, serve } from "./site.mjs";

const [dir, extremes] = process.argv.slice(2);
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };

// open makes a page that gives its errors, and requests to elsewhere, to fault.
async function open(context, base) {
  const page = await context.newPage();
  page.on("console", (m) => { if (m.type() === "error" && page.expected === 200) fault(`${page.place}: console: ${m.text()}`); });
  page.on("pageerror", (e) => fault(`${page.place}: ${e.message}`));
  page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("data:")) fault(`${page.place}: asks ${r.url()}`); });
  page.on("response", (r) => { if (r.status() >= 400 && r.url() !== base + page.place) fault(`${page.place}: ${r.status()} of ${r.url()}`); });
  return page;
}

const tablet = { name: "tablet", width: 768, height: 1024 };

async function look(page, base, route, what) {
  page.place = route;
  page.expected = route === "/no-such-page" ? 404 : 200;
  await page.setViewportSize(views[0]);
  const answer = await page.goto(base + route, { waitUntil: "load" });
  if (answer.status() !== page.expected) fault(`${route}: status ${answer.status()}`);
  judgeHeaders(answer, route, fault);
  for (const view of what === "languages" ? [views[1]] : [...views, tablet]) {
    await page.emulateMedia(modes[0].media);
    await page.setViewportSize(view);
    await judgeWidth(page, `${route} (${view.name})`, fault);
    if (what !== "layout" && view !== tablet) await judgeModes(page, `${route} (${view.name})`, fault, what === "languages" ? modes.slice(0, 1) : modes);
  }
}

// all judges every route in two pages side by side, each of which stays open: a
// new one would be a new process that compiles everything again.
async function all(site, routes, what) {
  const { base, stop } = await serve(site);
  const browser = await launch();
  try {
    const context = await browser.newContext({ bypassCSP: true });
    const queue = [...routes];
    await Promise.all([0, 1].map(async () => {
      const page = await open(context, base);
      for (let r = queue.shift(); r; r = queue.shift()) await look(page, base, r, what);
    }));
  } finally {
    await browser.close();
    await stop();
  }
}

const routes = kinds(dir);
await all(dir, routes, "looks");
const others = abroad(dir, routes);
await all(dir, others, "languages");
let strange = [];
if (extremes) {
  strange = routesOf(extremes).map((r) => r.route).filter((r) => /^\/(entry\/|browse$|$|country\/)/.test(r));
  await all(extremes, [...strange, "/search?q=a"], "layout");
}
console.log(`pages: ${routes.length} kinds in ${views.length * modes.length} looks, ${others.length} in other languages, ${strange.length} extremes; ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
