// Walks through what people write, with a real service, store and mail:
// node desk.mjs WORKDIR [PICTURES]. With the keyboard alone a source is
// suggested, a moderator approves a candidate, its page appears, a reader
// watches it, confirms by the link in the mail, changes the watch and ends it;
// then the same forms without scripts. Every screen of the service is judged in
// all looks; PICTURES is a folder for pictures of them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { judgeHeaders, judgeModes, judgeWidth, modes, says, sent, views } from "./looks.mjs";
import { launch, serve } from "./site.mjs";

const [work, pictures] = process.argv.slice(2);
const assay = process.env.ASSAY ?? "bin/assay";
const db = `sqlite:${join(work, "desk.db")}`, site = join(work, "desk"), mail = join(work, "mail"), base0 = "http://127.0.0.1:8080";
execFileSync(assay, ["demo", "--addr", "127.0.0.1:0", "--build-only", "--base-url", base0, "--db", db, "--out", site], { stdio: ["ignore", "ignore", "pipe"] });
const token = execFileSync(assay, ["admin", "token", "create", "--role", "admin", "--name", "Ada", "--db", db], { stdio: ["ignore", "pipe", "pipe"] }).toString().trim();
const { base, stop } = await serve(site, ["--db", db, "--base-url", base0, "--mail-dir", mail, "--rebuild", "--worker=false", "--limit-writes", "0"]);
const browser = await launch();
const faults = [], judged = [];
const fault = (what) => { faults.push(what); console.error(what); };

// open makes a page that gives errors, and requests to elsewhere, to fault.
// The browser calls an answer of 400 and more an error, too: `expected` is the
// status that is none.
async function open(context) {
  const page = await context.newPage();
  page.expected = 200;
  page.on("console", (m) => { if (m.type() === "error" && !m.text().includes(`status of ${page.expected} `)) fault(`${page.url()}: console: ${m.text()}`); });
  page.on("pageerror", (e) => fault(`${page.url()}: ${e.message}`));
  page.on("request", (r) => { if (!r.url().startsWith(base) && !r.url().startsWith("data:")) fault(`${page.url()}: asks ${r.url()}`); });
  return page;
}

// judge judges the page that is open in every look.
async function judge(page, name) {
  judged.push(name);
  for (const view of views) {
    await page.setViewportSize({ width: view.width, height: view.height });
    await judgeWidth(page, `${name} (${view.name})`, fault);
    await judgeModes(page, `${name} (${view.name})`, fault);
    for (const mode of pictures ? modes : []) {
      await page.emulateMedia(mode.media);
      await page.screenshot({ path: join(pictures, `${name.replaceAll(/\W+/g, "-")}-${view.name}-${mode.name}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: views[0].width, height: views[0].height });
  await page.emulateMedia(modes[0].media);
}

async function visit(page, name, route, status = 200) {
  page.expected = status;
  const answer = await page.goto(base + route, { waitUntil: "load" });
  if (answer.status() !== status) fault(`${route}: status ${answer.status()}`);
  judgeHeaders(answer, route, fault);
  await judge(page, name);
  page.expected = 200;
}

// reach presses Tab until what has the focus fits.
async function reach(page, selector) {
  for (let i = 0; i < 400; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return;
  }
  assert.fail(`${selector} is not reached by Tab on ${page.url()}`);
}
async function enter(page, selector) {
  await reach(page, selector);
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("Enter")]);
}
async function type(page, selector, text) {
  await reach(page, selector);
  await page.keyboard.type(text);
}

// until asks again and again, for at most half a minute.
async function until(what, ask) {
  for (let i = 0; i < 300; i++) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
  return assert.fail(`${what} did not come`);
}

async function suggest(page) {
  await page.goto(`${base}/submit`);
  await type(page, "#f-url", "https://data.example.gov/rivers");
  await enter(page, "main form button");
  assert.match(page.url(), /\/submission\//);
  await says(page, "Received");
  await judge(page, "submission");
}

async function approve(page) {
  await page.goto(`${base}/admin/queue`);
  assert.match(page.url(), /\/admin\/login/);
  await type(page, "#f-token", token);
  await enter(page, "main form.form button");
  assert.match(page.url(), /\/admin\/queue$/);
  const form = page.locator("form[action$='/approve']").first();
  const id = (await form.getAttribute("action")).split("/").at(-2);
  await reach(page, "[data-candidate] details summary");
  await page.keyboard.press("Enter");
  await type(page, `form[action$='${id}/approve'] input[name=reason]`, "seen with the ministry");
  await enter(page, `form[action$='${id}/approve'] .line button`);
  await says(page, "Approved.");
  const entry = await until("the entry", async () => {
    const answer = await page.request.get(`${base}/api/v1/entries/${id}`);
    return answer.status() === 200 ? answer.json() : null;
  });
  await until("the page of the entry", async () => (await page.request.get(`${base}/entry/${entry.slug}`)).status() === 200);
  await until("the entry among the results", async () => (await (await page.request.get(`${base}/api/v1/entries/search?q=${encodeURIComponent(entry.name)}`)).json()).items.some((i) => i.entry.id === id));
  return entry;
}

// letters are the mails that were sent so far, as one text each.
const letters = () => (existsSync(mail) ? readdirSync(mail, { recursive: true }) : []).filter((f) => f.endsWith(".eml"))
  .map((f) => readFileSync(join(mail, f), "utf8").replaceAll("=\r\n", "").replaceAll("=\n", "").replaceAll("=3D", "="));

// linkFor is the link of the mail to an address by which its watch is confirmed.
async function linkFor(address) {
  const letter = await until(`the mail to ${address}`, () => letters().find((l) => l.includes(address)));
  const link = /http:\/\/\S*\/watches\/verify\/[\w.~-]+/.exec(letter);
  assert.ok(link, `no link to confirm in ${letter}`);
  return link[0].slice(base0.length);
}

async function watch(page, entry) {
  await page.goto(`${base}/entry/${entry.slug}`);
  await enter(page, "a[href*='/watch?entry=']");
  assert.equal(await page.locator("#f-entry").inputValue(), entry.slug);
  await type(page, "#f-email", "reader@example.org");
  await enter(page, "main form button");
  await says(page, "look into your mail");
  await judge(page, "watch-asked");
  await visit(page, "watch-confirm", await linkFor("reader@example.org"));
  await enter(page, "main form button");
  await says(page, "The watch is confirmed");
  await judge(page, "watch-confirmed");
  await enter(page, "main a.btn");
  await says(page, entry.name);
  await judge(page, "watch-manage");
  const manage = new URL(page.url()).pathname;
  await reach(page, "input[name=frequency]");
  await page.keyboard.press("ArrowDown");
  await enter(page, "main form button");
  await says(page, "Saved.");
  assert.ok(await page.locator("input[value=weekly]").isChecked(), "the arrow chose the next frequency");
  await judge(page, "watch-saved");
  await visit(page, "watch-unsubscribe", manage.replace("/manage/", "/unsubscribe/"));
  await enter(page, "main form button");
  await says(page, "You are unsubscribed");
  await judge(page, "watch-ended");
  await visit(page, "watch-expired", manage, 404);
}

// hook makes a webhook, whose secret is shown once, and gives its page.
async function hook(page) {
  await page.goto(`${base}/admin/webhooks`);
  await page.locator("main input[name=url]").fill("https://hooks.example.org/a");
  await sent(page, page.locator("form[action$='/admin/webhooks'] button").last());
  await says(page, "whsec_");
  await judge(page, "desk-webhook-secret");
  return /\/admin\/webhooks\/[0-9a-f-]{36}/.exec(await page.content())[0];
}

// sound judges every other screen.
async function sound(context, page, entry) {
  const listed = (await (await page.request.get(`${base}/api/v1/entries`)).json()).items[0];
  const kept = await (await page.request.get(`${base}/api/v1/entries/${listed.id}/evidence`)).json();
  const source = (await (await page.request.get(`${base}/api/v1/sources`)).json()).items[0];
  const none = "00000000-0000-5000-8000-000000000000";
  const queue = [["submit", "/submit?url=x"], ["report", `/report?entry=${entry.slug}`], ["watch", `/watch?entry=${entry.slug}`], ["report-unknown", "/report?entry=x", 404], ["watch-unknown", "/watch?entry=x", 404], ["login", "/admin/login?to=%2Fadmin"], ["desk", "/admin"],
    ["desk-queue", "/admin/queue"], ["desk-reports", "/admin/queue?kind=reports"], ["desk-submissions", "/admin/submissions"], ["desk-entry", `/admin/entry?id=${entry.slug}`],
    ["desk-sources", "/admin/sources"], ["desk-publishers", `/admin/publishers?source=${source.id}`], ["desk-institutions", "/admin/institutions"], ["desk-webhooks", "/admin/webhooks"], ["desk-webhook", await hook(page)],
    ["desk-jobs", "/admin/jobs"], ["desk-audit", "/admin/audit"], ["desk-tokens", "/admin/tokens"], ["desk-problem", `/admin/webhooks/${none}`, 404],
    ["evidence", new URL(kept.href, base).pathname]];
  await Promise.all([page, await open(context)].map(async (p) => {
    for (let next = queue.shift(); next; next = queue.shift()) await visit(p, ...next);
  }));
}

async function withoutScripts(page, entry) {
  await page.goto(`${base}/report?entry=${entry.slug}`);
  await page.locator("#f-message").fill("The licence is wrong");
  await sent(page, page.locator("main form button"));
  await says(page, "Thank you");
  await page.goto(`${base}/admin/login`);
  await page.locator("#f-token").fill(token);
  await sent(page, page.locator("main form.form button"));
  await page.goto(`${base}/admin/queue?kind=reports`);
  await says(page, "The licence is wrong");
  await page.locator("form[action*='/admin/reports/'] input[name=reason]").first().fill("corrected");
  await sent(page, page.locator("form[action*='/admin/reports/'] .line button").first());
  await says(page, "The report is closed.");
  await page.goto(`${base}/watch?entry=${entry.slug}`);
  await page.locator("#f-email").fill("plain@example.org");
  await sent(page, page.locator("main form button"));
  await page.goto(base + (await linkFor("plain@example.org")));
  await sent(page, page.locator("main form button"));
  await says(page, "Die Beobachtung ist bestätigt");
  await sent(page, page.locator("main a.btn"));
  await sent(page, page.locator("main form button").last());
  await says(page, "Sie haben abbestellt");
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const page = await open(context);
  await suggest(page);
  const entry = await approve(page);
  await watch(page, entry);
  await sound(context, page, entry);
  await context.close();
  const plain = await browser.newContext({ javaScriptEnabled: false, locale: "de-AT" });
  await withoutScripts(await plain.newPage(), entry);
  await plain.close();
  console.log(`desk: suggested, approved, shown, found, watched, confirmed, changed, ended, reported and decided; ${judged.length} screens in ${views.length * modes.length} looks; ${faults.length} faults`);
} finally {
  await browser.close();
  await stop();
}
process.exit(faults.length ? 1 : 0);
