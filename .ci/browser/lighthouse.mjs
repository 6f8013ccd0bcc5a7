// node lighthouse.mjs DIR
import lighthouse from "lighthouse";
import { browserPath, routesOf, serve } from "./site.mjs";
import { chromium } from "playwright-core";

const [dir] = process.argv.slice(2);
const goals = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };
const bySize = (prefix) => routesOf(dir).filter((r) => r.route.startsWith(prefix)).sort((a, b) => b.bytes - a.bytes).map((r) => r.route);
const [largest, smallest] = [(prefix) => bySize(prefix)[0], (prefix) => bySize(prefix).at(-1)];
// What a page may take: kilobytes as they are sent, requests, and milliseconds until the largest piece is painted.
const most = { kilobytes: 100, requests: 12, paint: 1800 };
const { base, stop } = await serve(dir);
const port = 9222 + (process.pid % 1000);
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox", `--remote-debugging-port=${port}`] });
let faults = 0;
try {
  for (const route of ["/", "/browse", largest("/entry/"), smallest("/entry/"), largest("/browse/theme/"), largest("/institution/"), "/search", "/search?q=water"]) {
    const { lhr } = await lighthouse(base + route, { port, logLevel: "error", onlyCategories: Object.keys(goals) });
    const scores = Object.fromEntries(Object.entries(lhr.categories).map(([id, c]) => [id, Math.round(c.score * 100)]));
    // A question has no end of answers, which are kept out of search engines.
    if (route.includes("?")) delete scores.seo;
    const sent = lhr.audits["network-requests"].details.items;
    const size = { kilobytes: Math.ceil(sent.reduce((sum, r) => sum + (r.transferSize ?? 0), 0) / 1000), requests: sent.length,
      paint: Math.round(lhr.audits["largest-contentful-paint"].numericValue) };
    console.log(route, JSON.stringify({ ...scores, ...size }));
    for (const [what, bound] of Object.entries(most)) {
      if (size[what] <= bound) continue;
      faults++;
      console.error(`${route}: ${size[what]} ${what}, ${bound} at most`);
    }
    for (const [id, goal] of Object.entries(goals)) {
      if (!(id in scores) || scores[id] >= goal) continue;
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
