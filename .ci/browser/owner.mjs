// Walks the path of an owner, against the demo itself, with nothing but its pages: node owner.mjs WORKDIR [PICTURES].
// From the page of an entry to a claim that is proved by mail, what is published for the other proofs, each thing
// that an owner can say, where readers see it, an answer to a report, a check now, a digest that is confirmed by its
// mail, the list of what to mend with its badge, and the end of the claim. Every screen is judged in all looks.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startDemo, until } from "./demo.mjs";
import { judgeModes, judgeWidth, modes, says, sent, views } from "./looks.mjs";
import { launch } from "./site.mjs";

const [work, pictures] = process.argv.slice(2);
const temporary = join(work, "owner");
mkdirSync(temporary);
const faults = [];
const fault = (what) => { faults.push(what); console.error(what); };

const { demo, ended, guide } = await startDemo(temporary, { site: /register +(http:\S+)/, mail: /Mail +(\S+),/ });
const browser = await launch();

const get = async (path) => { const answer = await fetch(guide.site + path); return answer.ok ? answer.text() : ""; };
// letter is what a pattern finds in a mail to somebody.
const letter = (to, pattern) => until(`a mail to ${to}`, () => {
  const files = existsSync(guide.mail) ? readdirSync(guide.mail, { recursive: true }).filter((f) => f.endsWith(".eml")) : [];
  const texts = files.map((f) => readFileSync(join(guide.mail, f), "utf8")).filter((text) => new RegExp(`^To: .*${to}`, "m").test(text));
  return texts.map((text) => pattern.exec(text.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "="))).find(Boolean)?.[1];
});

async function judge(page, name) {
  for (const view of views) {
    await page.setViewportSize({ width: view.width, height: view.height });
    await judgeWidth(page, `${name} (${view.name})`, fault);
    await judgeModes(page, `${name} (${view.name})`, fault);
    await page.emulateMedia(modes[0].media);
    if (pictures) await page.screenshot({ path: join(pictures, `owner-${name}-${view.name}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: views[0].width, height: views[0].height });
}
const main = (page) => page.locator("main").textContent();

// office is an institution that can be claimed by its domain, with the address of one of its entries.
async function office() {
  const { items } = JSON.parse(await get("/api/v1/entries?country=GR&limit=50"));
  for (const e of items) {
    const options = JSON.parse((await get(`/api/v1/claims/options?entry=${e.slug}`)) || "{}").items ?? [];
    const found = options.find((o) => o.institution_id && o.domains.length && o.official_page);
    if (found) return { slug: e.slug, name: e.name, url: e.primary_source_url, institution: found.institution_id, domain: found.domains[0] };
  }
  return assert.fail("no office can be claimed");
}

// begin goes from the page of an entry to a claim with one proof.
async function begin(page, o, method, email) {
  await page.goto(`${guide.site}/entry/${o.slug}`);
  await sent(page, page.locator("main a[href*='/claim?']").first());
  if (method === "dns") await judge(page, "start");
  const form = page.locator(`form:has(input[name=institution][value='${o.institution}'])`);
  await form.locator(`input[name=method][value=${method}]`).check();
  if (email) await form.locator("input[name=email]").fill(email);
  await sent(page, form.locator("button[type=submit]"));
}

// publish begins a claim by each proof that is published, and looks at what its page says of it.
async function publish(page, o) {
  for (const [method, place] of [["dns", `_assay-claim.${o.domain}`], ["file", "/.well-known/assay-claim.txt"], ["link", "http"]]) {
    await begin(page, o, method);
    await says(page, place);
    await judge(page, `prove-${method}`);
    await sent(page, page.locator("form[action$='/check'] button"));
    assert.match(await main(page), /not/i, "a proof that nobody published is not seen");
    await page.locator("form[action$='/leave'] button").click();
  }
}

async function prove(page, o) {
  const address = `data@${o.domain}`;
  await begin(page, o, "mail", address);
  await judge(page, "prove-mail");
  const code = await letter(address, /^ {4}([A-Z2-7]{20,})\r?$/m);
  await page.locator("#f-code").fill(code);
  await sent(page, page.locator("form[action$='/confirm'] button"));
  await says(page, "Proved");
  await judge(page, "claim");
  return page.url().split("?")[0];
}

// report is what a reader finds wrong.
async function report(o) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${guide.site}/report?entry=${o.slug}`);
  await page.locator("textarea[name=message]").fill("The second table has no header.");
  await sent(page, page.locator("main form button[type=submit]").last());
  await context.close();
}

// speak says each thing that an owner can say.
async function speak(page, o, at) {
  await page.goto(at);
  await page.locator("main input[name=q]").fill(o.name);
  await sent(page, page.locator("main form[role=search] button"));
  await sent(page, page.locator(`main a[href$='/entry/${o.slug}']`).first());
  await judge(page, "entry");
  const say = async (kind, fields, choice) => {
    const form = page.locator(choice ? `form:has(input[type=radio][value=${kind}])` : `form:has(input[name=kind][value=${kind}][type=hidden])`);
    await page.evaluate(() => { for (const d of document.querySelectorAll("main details")) d.open = true; });
    if (choice) await form.locator(`input[value=${kind}]`).check();
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name=${name}]`);
      if (name === "field") await field.selectOption(value); else await field.fill(value);
    }
    await sent(page, form.locator("button[type=submit]"));
    await says(page, "It is kept.");
  };
  await say("confirm", { field: "name" }, true);
  await say("dispute", { field: "verification_state", text: "It answers from the office itself." }, true);
  await say("contact", { text: `desk@${o.domain}` });
  await say("documentation", { url: `https://www.${o.domain}/help` });
  await say("probe_address", { url: o.url });
  const soon = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  await say("maintenance", { from: soon(2), until: soon(3), text: "Μεταφορά σε νέο κτίριο" });
  await say("sunset", { from: soon(300) });
  await judge(page, "said");
  await sent(page, page.locator("form[action$='/probe'] button"));
  await says(page, "What you asked for");
  await judge(page, "asked");
  await sent(page, page.locator("form[action$='/recheck'] button"));
  await until("the answer to a check", async () => {
    await page.goto(page.url().split(/[?#]/)[0]);
    return (await page.locator("section[aria-labelledby=h-probe]").textContent()).includes("ended at");
  });
  await judge(page, "answered");
  const answer = page.locator("form[action$='/answer']").first();
  await answer.locator("textarea").fill("Mended this morning.");
  await sent(page, answer.locator("button"));
  await says(page, "Your answer is public.");
}

// readers see what was said beside what the register says.
async function readers(page, o) {
  const shown = await until("what was said, on the page of the entry", async () => {
    const text = await get(`/entry/${o.slug}`);
    return text.includes("It answers from the office itself.") && text.includes("The owner disputes this") && text.includes("Mended this morning.") && text;
  });
  for (const part of [`desk@${o.domain}`, `https://www.${o.domain}/help`, "Μεταφορά σε νέο κτίριο"]) assert.ok(shown.includes(part), `the page lacks ${part}`);
  await page.goto(`${guide.site}/entry/${o.slug}`);
  await judge(page, "readers");
}

async function digest(page, at) {
  await page.goto(at);
  await page.locator("#f-mail").fill("owner@elsewhere.example");
  await sent(page, page.locator("form[action$='/digest'] button"));
  await says(page, "Look into your mail");
  const link = await letter("owner@elsewhere.example", /(http:\/\/\S+\/api\/v1\/webhooks\/watches\/verify\/\S+)/);
  await page.goto(link);
  await judge(page, "digest");
  await sent(page, page.locator("main form button").first());
  assert.match(await main(page), /confirmed|begin|mail/i);
}

async function fixes(page, o, at) {
  await page.goto(at);
  await sent(page, page.locator("main a[href$='/fixes']").first());
  await judge(page, "fixes");
  const list = JSON.parse(await get(`/api/v1/institutions/${o.institution}/fixes`));
  assert.ok(await page.locator(`main a[href$='/entry/${list.items[0].slug}']`).count(), "what brings most is on the page");
  const badge = await fetch(`${guide.site}/api/v1/institutions/${o.institution}/fixes/badge.svg`);
  assert.equal(badge.headers.get("content-type"), "image/svg+xml; charset=utf-8");
}

async function end(page, at) {
  await page.goto(at);
  await page.evaluate(() => { for (const d of document.querySelectorAll("main details")) d.open = true; });
  await sent(page, page.locator("form[action$='/end'] button"));
  await says(page, "Ended");
  await judge(page, "ended");
}

try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  page.on("pageerror", (e) => fault(`${page.url()}: ${e.message}`));
  const o = await office();
  await publish(page, o);
  const at = await prove(page, o);
  await report(o);
  await speak(page, o, at);
  await readers(page, o);
  await digest(page, at);
  await fixes(page, o, at);
  await end(page, at);
  demo.kill("SIGINT");
  await ended;
  console.log(`owner: claimed by mail, said seven things, answered, checked, asked for a digest, ended; ${faults.length} faults`);
} finally {
  await browser.close();
  demo.kill("SIGKILL");
}
process.exit(faults.length ? 1 : 0);
