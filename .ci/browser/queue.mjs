// Decides on many candidates with a real service and store: node queue.mjs WORKDIR [PICTURES].
// By keyboard alone a hundred candidates of one source are approved, taken back by one key, and
// each has its row in the audit log; then the same by forms without scripts. Every new screen is
// judged in all looks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { judgeModes, judgeWidth, modes, says, sent, views } from "./looks.mjs";
import { launch, serve } from "./site.mjs";

const [work, pictures] = process.argv.slice(2);
const assay = process.env.ASSAY ?? "bin/assay";
const db = `sqlite:${join(work, "queue.db")}`, site = join(work, "queue"), base0 = "http://127.0.0.1:8080";
const run = (...args) => execFileSync(assay, args, { stdio: ["ignore", "pipe", "pipe"] }).toString().trim();
run("demo", "--addr", "127.0.0.1:0", "--build-only", "--base-url", base0, "--db", db, "--out", site);
const rows = Array.from({ length: 130 }, (_, i) => `"River gauge ${i}","https://www.statistics.gr/gauges/${i}",DATASET,"Water level at gauge ${i}","Hellenic Statistical Authority"`);
writeFileSync(join(work, "gauges.csv"), `name,url,type,description,institution\n${rows.join("\n")}\n`);
run("harvest", "--db", db, "--kind", "csv", "--file", join(work, "gauges.csv"), "--source", "gauges", "--country", "GR");
const token = run("admin", "token", "create", "--role", "admin", "--name", "Ada", "--db", db);
const { base, stop } = await serve(site, ["--db", db, "--base-url", base0, "--worker=false"]);
const browser = await launch();
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };

const ask = async (path) => (await fetch(base + path, { headers: { Authorization: `Bearer ${token}` } })).json();
async function judge(page, name) {
  for (const view of views) {
    await page.setViewportSize({ width: view.width, height: view.height });
    await judgeWidth(page, `${name} (${view.name})`, fault);
    await judgeModes(page, `${name} (${view.name})`, fault);
    for (const mode of pictures ? modes : []) {
      await page.emulateMedia(mode.media);
      await page.screenshot({ path: join(pictures, `${name}-${view.name}-${mode.name}.png`) });
    }
  }
  await page.setViewportSize({ width: views[0].width, height: views[0].height });
  await page.emulateMedia(modes[0].media);
}
async function login(page) {
  await page.goto(`${base}/admin/login`);
  await page.locator("#f-token").fill(token);
  await sent(page, page.locator("main form.form button"));
}
const pending = async (source) => (await ask(`/api/v1/admin/queue?kind=candidates&source=${source}`)).matching;

async function byKeyboard(page, source) {
  const before = await pending(source), began = Date.now();
  let actions = 0;
  const act = async (what) => { actions++; await what(); };
  const followed = (what) => act(() => Promise.all([page.waitForNavigation({ waitUntil: "load" }), what()]));
  await followed(() => page.goto(`${base}/admin/queue?kind=candidates&limit=100&source=${source}`));
  await act(() => page.keyboard.press("Shift+A"));
  await act(() => page.keyboard.press("a"));
  await act(() => page.keyboard.type("all of one office"));
  await followed(() => page.keyboard.press("Enter"));
  const seconds = (Date.now() - began) / 1000;
  await says(page, "100 decisions were made together");
  assert.equal(await pending(source), before - 100);
  assert.ok(seconds < 60 && actions <= 10, `${seconds} s and ${actions} actions`);
  const decided = await ask(`/api/v1/admin/decisions?batch=${new URL(page.url()).searchParams.get("batch")}`);
  assert.equal(decided.items.length, 100);
  for (const d of decided.items) {
    const audit = await ask(`/api/v1/admin/audit?subject=${d.entry.id}`);
    assert.equal(audit.items.length, 1, `audit of ${d.entry.id}`);
    assert.equal(audit.items[0].reason, "all of one office");
  }
  await judge(page, "desk-queue-decided");
  await followed(() => page.keyboard.press("u"));
  await says(page, "100 decisions were made together");
  assert.equal(await pending(source), before, "undo restores");
  const again = await ask(`/api/v1/admin/audit?subject=${decided.items[0].entry.id}`);
  assert.equal(again.items.length, 2);
  return { seconds, actions };
}

// keys tries the others: move, choose, open, take, preview, reject, help, search.
async function keys(page, source) {
  await page.goto(`${base}/admin/queue?kind=candidates&source=${source}`);
  for (const key of ["j", "j", "k", "x", "j", "x", "o"]) await page.keyboard.press(key);
  assert.equal(await page.locator("input[name=item]:checked").count(), 2);
  assert.equal(await page.locator("[data-more][open]").count(), 1);
  await judge(page, "desk-queue-open");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("t")]);
  await says(page, "taken by Ada");
  assert.equal((await ask("/api/v1/admin/queue?assigned=me")).matching, 2);
  for (const key of ["j", "x", "p", "r"]) await page.keyboard.press(key);
  await page.keyboard.type("no source");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await says(page, "Nothing is changed yet");
  await judge(page, "desk-bulk");
  await sent(page, page.locator("main form[action$='/bulk'] button"));
  await says(page, "1 decisions were made together");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#keys[open]").isVisible());
  await page.keyboard.press("/");
  assert.ok(await page.locator("#q-q").evaluate((node) => node === document.activeElement));
}

async function withoutScripts(page, source) {
  await login(page);
  await page.goto(`${base}/admin/queue?kind=candidates&source=${source}&group=publisher`);
  assert.equal(await page.locator("a.chip[href*='publisher=']").count(), 1, "one publisher is one group");
  const before = await pending(source);
  for (const n of [0, 1, 2]) await page.locator("input[name=item]").nth(n).check();
  await page.locator("#bulk input[name=reason]").fill("seen by eye");
  await page.locator("#bulk button[value=approve]").click();
  await says(page, "3 decisions were made together");
  assert.equal(await pending(source), before - 3);
  await page.locator("[data-undo] button").click();
  assert.equal(await pending(source), before);
  await page.goto(`${base}/admin/decisions`);
  await says(page, "seen by eye");
  await page.locator("form[action$='/admin/reasons'] input[name=text]").fill("Not a source");
  await page.locator("form[action$='/admin/reasons'] button").click();
  await says(page, "The reason is saved.");
  await page.goto(`${base}/admin/queue?kind=candidates&source=${source}&limit=1`);
  await page.locator("[data-more] summary").click();
  await page.locator("[data-more] a[href*='/admin/trust?']").click();
  await page.locator("#t-reason").fill("the office asked for it");
  await page.locator("form[action$='/admin/trust'] button").click();
  await says(page, "Nothing is changed yet");
  await page.locator("form[action$='/admin/trust'] button").click();
  await says(page, "The rule holds.");
  assert.ok((await pending(source)) >= 3, "what was reopened stays");
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  page.on("console", (m) => { if (m.type() === "error") fault(`${page.url()}: console: ${m.text()}`); });
  page.on("pageerror", (e) => fault(`${page.url()}: ${e.message}`));
  await login(page);
  const source = (await ask("/api/v1/admin/sources")).items.find((s) => s.url?.includes("gauges") || s.title?.includes("gauges") || s.key === "gauges").id;
  const { seconds, actions } = await byKeyboard(page, source);
  await keys(page, source);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  await withoutScripts(await plain.newPage(), source);
  await plain.close();
  for (const name of ["decisions", "trust"]) {
    await page.goto(`${base}/admin/${name}`);
    await judge(page, `desk-${name}`);
  }
  await context.close();
  console.log(`queue: 100 candidates approved by keyboard in ${seconds.toFixed(1)} s and ${actions} actions, each audited, undone by one key; the same by forms; ${faults.length} faults`);
} finally {
  await browser.close();
  await stop();
}
process.exit(faults.length ? 1 : 0);
