// What the judges of pages share: the service over a built site, a browser,
// and one page of each kind.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

// browserPath is where the browser lies. A Debian wrapper adds flags of its
// own, so the program behind it is used.
export function browserPath() {
  for (const path of [process.env.CHROMIUM, "/usr/lib/chromium/chromium", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]) {
    if (path && existsSync(path)) return path;
  }
  throw new Error("no Chromium found: run .ci/install.sh, or name one in CHROMIUM");
}

export const launch = () => chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });

// serve runs `assay serve` over a site on a port of its own.
export async function serve(dir, flags = []) {
  const child = spawn(process.env.ASSAY ?? "bin/assay", ["serve", "--probe=false", "--site", dir, "--addr", "127.0.0.1:0", "--limit-reads", "0", ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  const base = await new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => reject(new Error(`the service did not start: ${said}`)), 30_000);
    child.stderr.on("data", (piece) => {
      said += piece;
      const found = /serving .* at (http:\/\/\S+)/.exec(said);
      if (found) { clearTimeout(timer); resolve(found[1]); }
    });
    child.on("exit", (code) => reject(new Error(`the service ended with ${code}: ${said}`)));
  });
  return { base, stop: () => new Promise((done) => { child.removeAllListeners("exit"); child.once("exit", done); child.kill(); }) };
}

// routesOf lists the pages of a site with their sizes.
export function routesOf(dir) {
  return readFileSync(join(dir, "routes.ndjson"), "utf8").trim().split("\n").map((l) => JSON.parse(l)).filter((r) => r.type.startsWith("text/html"));
}

// kinds chooses one page of each kind, of the entries the largest, the smallest
// and some between.
export function kinds(dir) {
  const routes = routesOf(dir);
  const all = new Set(routes.map((r) => r.route));
  const one = (prefix, pick = (list) => list[0]) => {
    const list = routes.filter((r) => r.route.startsWith(prefix)).sort((a, b) => b.bytes - a.bytes);
    return list.length ? [pick(list).route] : [];
  };
  const entries = routes.filter((r) => r.route.startsWith("/entry/")).sort((a, b) => b.bytes - a.bytes).map((r) => r.route);
  const fixed = ["/", "/fr", "/de/status", "/browse", "/browse/tag", "/browse/type/api", "/leaderboard", "/compare", "/search", "/status", "/methodology", "/docs", "/docs/api",
    "/docs/formats", "/accessibility", "/sources", "/submit", "/report", "/watch", "/de", "/nl", "/fr/browse", "/de/browse/theme", "/nl/browse/institution", "/fr/sources",
    "/nl/browse/format/json", "/de/leaderboard"].filter((r) => all.has(r));
  const slugs = entries.slice(0, 3).map((r) => r.slice("/entry/".length));
  return [...new Set([...fixed, entries[0], entries[Math.floor(entries.length / 2)], entries.at(-1), `/fr${entries[0]}`, `/de${entries[1]}`, ...one("/institution/"), ...one("/country/"), ...one("/source/"),
    ...one("/series/"), ...one("/browse/theme/"), ...one("/fr/country/"), ...one("/de/institution/"), ...one("/nl/browse/tag/"), "/fr/search?q=eau&type=API", "/de/search?q=wasser", "/nl/search?type=DATASET",
    `/fr/compare?ids=${slugs.join(",")}`,
    "/search?q=air", "/search?q=zzzzqqqq", `/compare?ids=${slugs.join(",")}`, "/no-such-page"])];
}

const languages = ["en", "fr", "de", "nl"];

// abroad are pages in a language in which they are not among the routes yet, one each in turn; in the long
// tests in all languages.
export function abroad(dir, routes) {
  const all = new Set(routesOf(dir).map((r) => r.route));
  const known = new Set(routes);
  const out = new Set();
  for (const [turn, route] of routes.entries()) {
    const [path, question] = route.split("?");
    const plain = path.replace(/^\/(fr|de|nl)(?=\/|$)/, "") || "/";
    for (const lang of process.env.ASSAY_SOAK ? languages : [languages[turn % languages.length]]) {
      const page = lang === "en" ? plain : `/${lang}${plain === "/" ? "" : plain}`;
      const there = question === undefined ? page : `${page}?${question}`;
      if (all.has(page) && !known.has(there)) out.add(there);
    }
  }
  return [...out];
}
