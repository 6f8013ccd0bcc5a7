// The outside check of a built site, in a language that shares no code with the
// one that built it: node check-site.mjs DIR
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// Extensions of files on disk; a route without one is <route>/index.<ext>.
const extensions = {
  "application/json": "json", "text/html": "html", "text/turtle": "ttl", "application/ld+json": "jsonld",
  "text/markdown": "md", "image/svg+xml": "svg", "application/rss+xml": "rss", "text/calendar": "ics", "application/atom+xml": "atom",
  "application/feed+json": "json", "text/csv": "csv", "text/plain": "txt", "application/linkset+json": "json", "application/mcp-server-card+json": "json", "application/ai-catalog+json": "json",
  "application/x-ndjson": "ndjson",
};
const named = /[^/]\.[a-z0-9]+$/;

const bare = (type) => type.split(";")[0].trim();
const sha256 = (data) => createHash("sha256").update(data).digest("hex");

export function fileOf(route, type) {
  const path = route.replace(/^\/+|\/+$/g, "");
  if (named.test(path)) return path;
  const name = `index.${extensions[bare(type)] ?? "bin"}`;
  return path === "" ? name : `${path}/${name}`;
}

// visit calls f with every value below v; path is where it stands.
function visit(v, f, path = ["$"]) {
  f(v, path);
  if (v === null || typeof v !== "object") return;
  for (const k of Object.keys(v)) {
    path.push(Array.isArray(v) ? `[${k}]` : `.${k}`);
    visit(v[k], f, path);
    path.pop();
  }
}

// rows counts the objects that are elements of any array.
function rows(v) {
  let n = 0;
  visit(v, (x) => {
    if (Array.isArray(x)) n += x.filter((e) => e !== null && typeof e === "object" && !Array.isArray(e)).length;
  });
  return n;
}

// The keys of an OpenAPI responses object are statuses; their order is the one
// that JavaScript gives them, so the document still survives a round trip.
const mayHaveIntegerKeys = (route) => /^\/openapi(-3\.0)?\.json$/.test(route);

function checkJSON(route, text, complain) {
  let body;
  try {
    body = JSON.parse(text);
  } catch (e) {
    return complain(route, `is not JSON: ${e.message}`);
  }
  if (JSON.stringify(body) !== text) complain(route, "JSON.stringify(JSON.parse(body)) differs from the body");
  visit(body, (v, path) => {
    const place = (what) => complain(route, `${path.join("")} ${what}`);
    if (Object.is(v, -0)) place("is -0");
    if (Number.isInteger(v) && !Number.isSafeInteger(v)) place("is an integer beyond 2^53");
    if (v === null || typeof v !== "object" || Array.isArray(v) || mayHaveIntegerKeys(route)) return;
    for (const k of Object.keys(v)) if (/^(0|[1-9]\d*)$/.test(k)) place(`has the integer-like key ${k}`);
  });
  return body;
}

function checkManifest(route, body, complain) {
  const manifest = body.manifest;
  const rest = { ...body };
  delete rest.manifest;
  if (manifest.row_count !== rows(rest)) complain(route, `row_count is ${manifest.row_count}, the body has ${rows(rest)}`);
  const kept = { ...manifest };
  for (const k of manifest.stamped_keys) delete kept[k];
  const hashed = { ...body, manifest: kept };
  if (Object.keys(kept).length === 0) delete hashed.manifest;
  const sum = sha256(JSON.stringify(hashed));
  if (manifest.answer_sha256 !== sum) complain(route, `answer_sha256 is ${manifest.answer_sha256}, computed is ${sum}`);
}

// walkList follows links.next from the list to its end.
function walkList(pages, prefix, complain) {
  const start = "/api/v1/entries";
  const ids = new Set();
  const visited = new Set();
  let route = start;
  let first, count = 0;
  while (route !== null) {
    if (visited.has(route)) return complain(route, "links.next leads in a circle"), visited.size;
    visited.add(route);
    const page = pages.get(route);
    if (page === undefined) return complain(route, "the list leads here, and it is no JSON page of the tree"), visited.size;
    first ??= page;
    for (const m of ["total", "snapshot", "limit", "total_pages"]) {
      if (page[m] !== first[m]) complain(route, `${m} is ${page[m]}, on the first page ${first[m]}`);
    }
    if (page.page !== visited.size) complain(route, `page is ${page.page}, want ${visited.size}`);
    for (const item of page.items) {
      count++;
      if (ids.has(item.id)) complain(route, `entry ${item.id} was on an earlier page`);
      ids.add(item.id);
    }
    const next = page.links.next;
    if (next !== null && !next.startsWith(`${prefix}/`)) return complain(route, `links.next ${next} is outside the register`), visited.size;
    route = next === null ? null : next.slice(prefix.length);
  }
  if (count !== first.total) complain(start, `total is ${first.total}, its pages hold ${count}`);
  if (visited.size !== Math.max(1, first.total_pages)) complain(start, `total_pages is ${first.total_pages}, walked ${visited.size}`);
  return visited.size;
}

function read(dir, file, route, complain) {
  try {
    return readFileSync(join(dir, file));
  } catch (e) {
    complain(route, `cannot read ${file}: ${e.code}`);
  }
}

// lines parses an NDJSON file, each line in the one form.
function lines(route, text, complain) {
  if (text !== "" && !text.endsWith("\n")) complain(route, "the last line is not ended");
  return text.split("\n").slice(0, -1).map((l, i) => checkJSON(`${route} line ${i + 1}`, l, complain)).filter(Boolean);
}

// checkSite returns what was counted and every mismatch.
export function checkSite(dir) {
  const problems = [];
  const complain = (route, what) => void problems.push(`${route}: ${what}`);
  const counts = { routes: 0, aliases: 0, json: 0, sealed: 0, bytes: 0, listPages: 0 };
  const routes = read(dir, "routes.ndjson", "/routes.ndjson", complain);
  if (routes === undefined) return { counts, problems };
  const pages = new Map();
  const seen = new Set();
  for (const r of lines("/routes.ndjson", routes.toString(), complain)) {
    counts.routes++;
    if (seen.has(r.route)) complain(r.route, "stands twice in routes.ndjson");
    seen.add(r.route);
    const data = read(dir, fileOf(r.route, r.type), r.route, complain);
    if (data === undefined) continue;
    counts.bytes += data.length;
    if (data.length !== r.bytes) complain(r.route, `bytes is ${r.bytes}, the file has ${data.length}`);
    if (sha256(data) !== r.sha256) complain(r.route, `sha256 is ${r.sha256}, the file has ${sha256(data)}`);
    if (r.same_as !== undefined) {
      counts.aliases++;
      continue; // the same bytes were judged under their first name
    }
    const text = data.toString();
    if (bare(r.type) === "application/x-ndjson") lines(r.route, text, complain);
    if (bare(r.type) !== "application/json") continue;
    counts.json++;
    const body = checkJSON(r.route, text, complain);
    if (body === undefined) continue;
    if (body.manifest !== undefined) {
      counts.sealed++;
      checkManifest(r.route, body, complain);
    }
    if (body.links !== undefined && body.items !== undefined) {
      const { page, limit, total, total_pages, snapshot, links } = body;
      pages.set(r.route, { page, limit, total, total_pages, snapshot, links, items: body.items.map(({ id }) => ({ id })) });
    }
  }
  for (const [route, type] of [["/snapshot.json", "application/json"], ["/api/v1/entries", "application/json"]]) {
    if (!seen.has(route) && route !== "/snapshot.json") complain(route, "is missing in routes.ndjson");
    if (seen.has(route)) continue;
    const data = read(dir, fileOf(route, type), route, complain);
    if (data !== undefined) checkJSON(route, data.toString(), complain);
  }
  const snapshot = read(dir, "snapshot.json", "/snapshot.json", () => {});
  if (snapshot !== undefined && pages.size > 0) {
    const prefix = new URL(JSON.parse(snapshot).base_url).pathname.replace(/\/$/, "");
    counts.listPages = walkList(pages, prefix, complain);
  }
  return { counts, problems };
}

function main() {
  const dir = process.argv[2];
  if (dir === undefined || process.argv.length > 3) {
    console.error("usage: node check-site.mjs DIR");
    process.exit(2);
  }
  const { counts, problems } = checkSite(dir);
  for (const p of problems) console.error(p);
  console.log(`${counts.routes} routes (${counts.aliases} of them second names), ${counts.bytes} bytes, ${counts.json} JSON pages, ` +
    `${counts.sealed} of them sealed, ${counts.listPages} list pages walked, ${problems.length} mismatches`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) main();
