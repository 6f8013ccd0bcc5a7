// node lighthouse.mjs DIR
import lighthouse from "lighthouse";
import { browserPath, routesOf, serve } from "./site.mjs";
import { chromium } from "playwright-core";

const [dir] = process.argv.slice(2);
const goals = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
const entry = routesOf(dir).filter((r) => r.route.startsWith("/entry/")).sort((a, b) => b.bytes - a.bytes)[0].route;
const { base, stop } = await serve(dir);
const port = 9222 + (process.pid % 1000);
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox", `--remote-debugging-port=${port}`] });
let faults = 0;
try {
  for (const route of ["/", "/browse", entry, "/search"]) {
    const { lhr } = await lighthouse(base + route, { port, logLevel: "error", onlyCategories: Object.keys(goals) });
    const scores = Object.fromEntries(Object.entries(lhr.categories).map(([id, c]) => [id, Math.round(c.score * 100)]));
    console.log(route, JSON.stringify(scores));
    for (const [id, goal] of Object.entries(goals)) {
      if (scores[id] >= goal) continue;
      faults++;
      const why = lhr.categories[id].auditRefs.map((r) => lhr.audits[r.id]).filter((a) => a.score !== null && a.score < 1).map((a) => `${a.id} ${a.displayValue ?? ""}`);
      console.error(`${route}: ${id} is ${scores[id]}, must be ${goal}: ${why.join("; ")}`);
    }
  }
} finally {
  await browser.close();
  await stop();
}
process.exit(faults ? 1 : 0);
