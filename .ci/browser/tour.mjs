// Takes the tour that `assay demo` offers, against the demo itself: node tour.mjs
// WORKDIR [PICTURES]. What the demo names is suggested, a moderator approves it,
// and within five seconds of that it is on its page, in the lists, found, in the
// change feed, known to agents, at the webhook and in the mail. The screens of the
// desk have something to show, and Ctrl-C leaves nothing behind.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startDemo, until } from "./demo.mjs";
import { judgeModes, judgeWidth, modes, sent, views } from "./looks.mjs";
import { launch } from "./site.mjs";

const [work, pictures] = process.argv.slice(2);
// within is how long after an approval all shows it, in milliseconds: beside other work that it comes at all.
const within = process.env.ASSAY_SOAK ? 5_000 : 60_000;
const temporary = join(work, "tour");
mkdirSync(temporary);
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };

const { demo, ended, guide, said } = await startDemo(temporary, {
  site: /register +(http:\S+)/, suggest: /Suggest +(http:\S+)/, hook: /Webhook +(http:\S+)/, mail: /Mail +(\S+),/,
  moderator: /(assay_[A-Z2-7]+)/, admin: /assay_[A-Z2-7]+[^]*?(assay_[A-Z2-7]+)/,
});
const browser = await launch();

const get = async (path) => { const answer = await fetch(guide.site + path); return answer.ok ? answer.text() : ""; };

// agent asks a tool of the MCP endpoint.
async function agent(name, args) {
  const answer = await fetch(`${guide.site}/mcp`, { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }) });
  return answer.text();
}

const letters = () => (existsSync(guide.mail) ? readdirSync(guide.mail, { recursive: true }) : []).filter((f) => f.endsWith(".eml"))
  .map((f) => readFileSync(join(guide.mail, f), "utf8")).join("\n").replaceAll(/=\r?\n/g, "");

async function judge(page, name) {
  for (const view of views) {
    await page.setViewportSize({ width: view.width, height: view.height });
    await judgeWidth(page, `${name} (${view.name})`, fault);
    if (page.url().startsWith(guide.site)) await judgeModes(page, `${name} (${view.name})`, fault);
    await page.emulateMedia(modes[0].media);
    if (pictures) await page.screenshot({ path: join(pictures, `tour-${name}-${view.name}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: views[0].width, height: views[0].height });
}

// suggest fills the form, and waits for the check.
async function suggest(page) {
  await page.goto(`${guide.site}/submit`);
  await page.locator("#f-url").fill(guide.suggest);
  await sent(page, page.locator("main form button"));
  assert.match(page.url(), /\/submission\//);
  const id = /[0-9a-f-]{36}/.exec(page.url())[0];
  await until("the check", async () => JSON.parse(await get(`/api/v1/submissions/${id}`)).status === "QUARANTINED");
  return id;
}

async function login(page, token) {
  await page.goto(`${guide.site}/admin/login`);
  await page.locator("#f-token").fill(token);
  await sent(page, page.locator("main form.form button"));
}

// approve decides at the desk, and gives the id and the time of the approval.
async function approve(page) {
  await login(page, guide.moderator);
  await page.goto(`${guide.site}/admin/queue`);
  await judge(page, "queue");
  const item = page.locator("main li, main article, main section", { hasText: "River gauges" }).filter({ has: page.locator("form[action$='/approve']") }).last();
  const form = item.locator("form[action$='/approve']").first();
  const id = (await form.getAttribute("action")).split("/").at(-2);
  await form.locator("input[name=reason]").first().fill("seen at the office");
  const began = Date.now();
  await sent(page, form.locator(".line button").first());
  return { id, began };
}

// appears waits for everything at once and tells after how long each came.
async function appears({ id, began }) {
  const { slug, name, institution_id } = JSON.parse(await until("the entry", () => get(`/api/v1/entries/${id}`)));
  const places = {
    page: async () => (await get(`/entry/${slug}`)).includes(name),
    list: async () => JSON.parse(await get("/api/v1/entries?limit=100&sort_by=created_at")).items.some((i) => i.id === id),
    institution: async () => (await get(`/institution/${institution_id}`)).includes(`/entry/${slug}`),
    search: async () => JSON.parse(await get(`/api/v1/entries/search?q=${encodeURIComponent(name)}`)).items.some((i) => i.entry.id === id),
    feed: async () => JSON.parse(await get(`/api/v1/webhooks/feed/events?entry=${id}`)).events.some((e) => e.type === "entry.created"),
    agents: async () => (await agent("search_entries", { q: name })).includes(`/entry/${slug}`),
    webhook: async () => { const text = await (await fetch(guide.hook)).text(); return text.includes("entry.created") && text.includes(id); },
    mail: async () => letters().includes(name) || letters().includes(slug),
  };
  const took = await Promise.all(Object.entries(places).map(async ([place, ask]) => { await until(place, ask); return [place, Date.now() - began]; }));
  for (const [place, ms] of took) if (ms > within) fault(`${place}: ${ms} ms after the approval, at most ${within} ms are allowed`);
  return { slug, took: took.map(([place, ms]) => `${place} ${(ms / 1000).toFixed(1)} s`).join(", ") };
}

// desk looks at what waits there.
async function desk(page) {
  await login(page, guide.admin);
  const main = async (path) => { await page.goto(guide.site + path); await judge(page, path.split("/").at(-1).replaceAll(/\W/g, "-")); return page.locator("main").textContent(); };
  assert.match(await main("/admin/queue"), /Bathing water quality/);
  assert.match(await main("/admin/queue?kind=reports"), /licence page names another version/);
  for (const state of ["done", "failed", "queued"]) {
    await until(`a job that is ${state}`, async () => JSON.parse(await (await fetch(`${guide.site}/api/v1/admin/jobs?state=${state}`, { headers: { Authorization: `Bearer ${guide.admin}` } })).text()).items.length > 0);
  }
  assert.match(await main("/admin/jobs"), /harvest\.discovery/);
  assert.match(await main("/admin"), /\d/);
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  page.on("pageerror", (e) => fault(`${page.url()}: ${e.message}`));
  await suggest(page);
  await judge(page, "suggested");
  const { slug, took } = await appears(await approve(page));
  await page.goto(`${guide.site}/entry/${slug}`);
  await judge(page, "entry");
  await page.goto(guide.hook);
  await judge(page, "hook");
  await desk(page);
  // One job fails on purpose, so that the desk has one to show.
  for (const [line] of said().matchAll(/level=ERROR.*/g)) {
    if (!/task=discovery .*demo-water-catalogue/.test(line)) fault(`the demo logs ${line}`);
  }
  demo.kill("SIGINT");
  await ended;
  const left = readdirSync(temporary);
  if (left.length) fault(`the demo leaves ${left}`);
  console.log(`tour: suggested, checked, approved; ${took}; ${faults.length} faults`);
} finally {
  await browser.close();
  demo.kill("SIGKILL");
}
process.exit(faults.length ? 1 : 0);
