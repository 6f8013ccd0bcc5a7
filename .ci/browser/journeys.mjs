// Walks through the site with the keyboard alone, with scripts and without:
// node journeys.mjs DIR. Search, filter, open an entry, compare, change the
// language; each step must be reached by Tab and done by Enter or Space.
import assert from "node:assert/strict";
import { launch, serve } from "./site.mjs";

const [dir] = process.argv.slice(2);
const { base, stop } = await serve(dir);
const browser = await launch();

// reach presses Tab until what has the focus fits, at most a few hundred times.
async function reach(page, what, fits) {
  for (let i = 0; i < 400; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(fits.fn, fits.arg)) {
      const seen = await page.evaluate(() => {
        const s = getComputedStyle(document.activeElement);
        return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
      });
      assert.ok(seen, `the focus on ${what} is not visible`);
      return;
    }
  }
  assert.fail(`${what} is not reached by Tab`);
}
const matching = (selector) => ({ fn: (s) => document.activeElement.matches(s), arg: selector });

async function follow(page, what, selector) {
  await reach(page, what, matching(selector));
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("Enter")]);
}

const found = (page) => page.locator(".rows .row").count();

async function search(page, scripts) {
  await page.goto(`${base}/`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip", "the first stop skips to the content");
  await reach(page, "the search field", matching("main input[name=q]"));
  await page.keyboard.type("air");
  await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.keyboard.press("Enter")]);
  assert.match(page.url(), /\/search\?q=air/);
  const before = await found(page);
  assert.ok(before > 1, "the search finds entries");
  await reach(page, "a filter", matching("input[name=type][value=DATASET]"));
  await page.keyboard.press("Space");
  if (scripts) {
    await page.waitForURL(/type=DATASET/);
  } else {
    await follow(page, "the button that applies filters", "#filters button");
  }
  await page.waitForFunction((n) => document.querySelectorAll(".rows .row").length < n, before);
  assert.ok((await found(page)) > 0, "the filter leaves entries");
  return before;
}

// results narrows, orders, turns back and forth, and completes what is typed: each step has
// an address, and Back undoes one.
async function results(page) {
  const count = () => page.locator("[data-count]").textContent();
  const changed = (before) => page.waitForFunction((text) => document.querySelector("[data-count]").textContent !== text, before);
  await page.goto(`${base}/search?q=air`);
  const all = await count();
  assert.equal(await page.locator("mark").count() > 0, true, "what was found is marked");
  await page.locator("input[name=type][value=DATASET]").check();
  await changed(all);
  const datasets = await count();
  assert.equal(await page.locator("[data-chosen] .chip").count(), 2, "the filter stands above the results, and a link that clears all");
  await page.locator("#f-sort").selectOption("name");
  await page.waitForURL(/sort_by=name/);
  await page.waitForTimeout(100);
  const names = await page.locator(".row h3").allTextContents();
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes("sort_by") && url.search.includes("type="));
  await page.waitForFunction(() => document.querySelector("#f-sort").value === "");
  await page.goBack();
  await changed(datasets);
  assert.equal(await count(), all, "and then the filter");
  assert.equal(await page.locator("input[name=type][value=DATASET]").isChecked(), false);
  await page.goForward();
  await changed(all);
  await page.goForward();
  await page.waitForURL(/sort_by=name/);
  await page.waitForFunction((first) => document.querySelector(".row h3").textContent === first, names[0]);
  await page.locator("[data-chosen] a").first().click();
  await page.waitForURL((url) => !url.search.includes("type="));

  const field = page.locator("main input[name=q]");
  await field.fill("");
  await field.pressSequentially("weath", { delay: 30 });
  await page.waitForSelector(".suggest [role=option]");
  await page.keyboard.press("ArrowDown");
  const option = await field.getAttribute("aria-activedescendant");
  const text = await page.locator(`#${option}`).getAttribute("data-text");
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Enter");
  await page.waitForFunction((t) => new URLSearchParams(location.search).get("q") === t, text);
  assert.equal(await page.locator(".suggest").isVisible(), false, "the suggestions go when one is taken");
  assert.ok((await found(page)) > 0, "a suggestion finds entries");

  await field.fill("");
  await field.pressSequentially("transp", { delay: 30 });
  await page.waitForSelector(".suggest [role=option][data-filter='theme=TRAN']");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?&]theme=TRAN/);
  assert.ok((await found(page)) > 0, "a theme that is suggested leads to its entries");
  await page.goBack();
  const steps = await page.evaluate(() => history.length);
  await page.goBack();
  assert.match(page.url(), /\/search/, "Back from typed words stays on the page");
  assert.ok(steps < 20, `${steps} steps`);
}

// lists combine: from the page of a country a filter leads to the search in it, and Back to the page.
async function lists(page) {
  await page.goto(`${base}/browse/country`);
  await page.locator("main .facet a").first().click();
  await page.waitForURL(/\/country\//);
  const [country, all] = [page.url(), await page.locator("[data-count]").textContent()];
  await page.locator("input[name=type][value=API]").check();
  await page.waitForURL(/\/search\?.*country_code=.*type=API|\/search\?.*type=API.*country_code=/);
  await page.waitForFunction((text) => document.querySelector("[data-count]").textContent !== text, all);
  assert.equal(await page.locator("[data-chosen] .chip").count(), 3, "country, type, and a link that clears both");
  assert.equal(await page.locator("[role=status]").count(), 1);
  assert.match(await page.locator("[role=status]").textContent(), /^[0-9,]+ results?$/, "what is read out is the count only");
  await page.goBack();
  await page.waitForURL(country);
  await page.waitForFunction((text) => document.querySelector("[data-count]").textContent === text, all);
}

// seek looks for a publisher by a part of its name.
async function seek(page) {
  await page.goto(`${base}/search?q=data`);
  const values = page.locator("[data-facet=institution_id] input[type=checkbox]");
  await page.locator("[name=find_institution_id]").pressSequentially("minist", { delay: 20 });
  await page.waitForFunction(() => [...document.querySelectorAll("[data-facet=institution_id] label span:first-of-type")].every((s) => /minist/i.test(s.textContent)));
  assert.ok((await values.count()) > 0, "a publisher is found by its name");
  await values.first().check();
  await page.waitForURL(/institution_id=/);
  assert.ok(!page.url().includes("find_"), "what was typed to find it is not in the address");
}

// stops counts the Tabs from the top of a page to its first result.
async function stops(page) {
  await page.goto(`${base}/search?q=air`);
  for (let n = 1; n <= 12; n++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.matches(".rows .row h3 a"))) return;
  }
  assert.fail("the first result is more than 12 stops away");
}

// phone: results come first, and the filters are one tap away and back.
async function phone(scripts) {
  const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto(`${base}/search?q=air`);
  const first = await page.locator(".row").first().boundingBox();
  assert.ok(first.y < 740, `the first result begins at ${first.y} pixels`);
  assert.equal(await page.locator("#filters").isVisible(), false);
  await page.locator(".to-side").click();
  assert.equal(await page.locator("#filters").isVisible(), true, "the filters are one tap away");
  await page.locator("input[name=type][value=DATASET]").check();
  if (scripts) {
    await page.waitForURL(/type=DATASET/);
    await page.locator(".done .btn-main").click();
  } else {
    await Promise.all([page.waitForNavigation({ waitUntil: "load" }), page.locator(".done button").click()]);
  }
  assert.equal(await page.locator("#filters").isVisible(), false, "and one tap leads back");
  assert.match(page.url(), /type=DATASET/);
  await context.close();
}

async function openEntry(page) {
  await follow(page, "the first result", ".rows .row h3 a");
  assert.match(page.url(), /\/entry\//);
  await reach(page, "a verdict", matching(".cell summary"));
  await page.keyboard.press("Enter");
  assert.ok(await page.evaluate(() => document.activeElement.parentElement.open), "Enter opens the evidence");
  return page.url().split("/entry/")[1];
}

async function compareByForm(page, slugs) {
  await follow(page, "the comparison in the navigation", ".top nav a[href$='/compare']");
  await reach(page, "the field of ids", matching("#ids"));
  await page.keyboard.type(slugs.join(","));
  await page.keyboard.press("Enter");
  await page.waitForSelector(".differs");
  assert.match(page.url(), /ids=/);
  const forms = page.locator("[data-results] a", { hasText: "CSV" });
  assert.equal(await forms.count(), 2, "the lossless CSV and the one that is safe to open");
  for (const link of await forms.all()) {
    const answer = await page.request.get(base + (await link.getAttribute("href")));
    assert.equal(answer.status(), 200);
    assert.match(answer.headers()["content-type"], /text\/csv/);
  }
}

async function compareByTray(page) {
  await page.goto(`${base}/browse`);
  for (let i = 0; i < 2; i++) {
    await reach(page, "a box of the tray", matching(".row .pick"));
    await page.keyboard.press("Space");
  }
  await follow(page, "the tray", ".tray a");
  assert.equal(await page.locator("thead th a:not(.drop)").count(), 2, "two entries stand side by side");
}

async function language(page) {
  await page.goto(`${base}/status`);
  await follow(page, "the French page", ".langs a[lang=fr]");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "fr");
}

try {
  for (const scripts of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    if (scripts) {
      await results(page);
      await lists(page);
      await seek(page);
      await stops(page);
      await search(page, scripts);
      const slug = await openEntry(page);
      const other = await page.locator(".rel a").first().getAttribute("href");
      await compareByForm(page, [slug, other.split("/entry/")[1]]);
      await compareByTray(page);
      await language(page);
      await page.goto(`${base}/entry/${slug}`);
      await follow(page, "the entry in French", ".langs a[lang=fr]");
      assert.match(page.url(), /\/fr\/entry\//);
      assert.equal(await page.locator("#licence h2").textContent(), "Ce que la licence permet");
    } else {
      await withoutScripts(page);
    }
    await context.close();
    await phone(scripts);
  }
  console.log("journeys: with the keyboard alone, with scripts and without");
} finally {
  await browser.close();
  await stop();
}

// withoutScripts cannot ask a page about its focus, so it goes by what a
// reader without scripts has: links and forms.
async function withoutScripts(page) {
  await page.goto(`${base}/`);
  await page.locator("main input[name=q]").fill("air");
  await page.locator("main input[name=q]").press("Enter");
  await page.waitForURL(/\/search\?q=air/);
  const before = await found(page);
  await page.locator("input[name=type][value=DATASET]").check();
  await page.locator("#filters button").click();
  await page.waitForURL(/type=DATASET/);
  assert.ok((await found(page)) > 0 && (await found(page)) < before, "the filter narrows the results");
  await page.locator(".rows .row h3 a").first().click();
  await page.waitForURL(/\/entry\//);
  const slug = page.url().split("/entry/")[1];
  await page.locator(".cell summary").first().click();
  assert.ok(await page.locator(".cell-body").first().isVisible(), "the evidence opens");
  const other = await page.locator(".rel a").first().getAttribute("href");
  await page.locator(".top nav a", { hasText: "Compare" }).click();
  await page.locator("#ids").fill([slug, other.split("/entry/")[1]].join(","));
  await page.locator("#ids").press("Enter");
  await page.waitForSelector(".differs");
}
