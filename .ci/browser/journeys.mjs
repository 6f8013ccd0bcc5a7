// Walks through the site with the keyboard alone, with scripts and without:
// node journeys.mjs DIR. Search, filter, open an entry, compare, change the
// language; each step must be reached by Tab and done by Enter or Space. Then what a
// pointer does, on a desktop, a tablet and a telephone, and whether counts are true.
import assert from "node:assert/strict";
import { numbers } from "./numbers.mjs";
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

const titles = (page) => page.locator(".rows .row h3").allTextContents();

// pages turns to the second page and back, in an order that the reader chose; whoever is given the address
// sees the same, with scripts or without.
async function pages(page, scripts) {
  await page.goto(`${base}/search?type=API`);
  await page.locator("#f-sort").selectOption("name");
  if (!scripts) await page.locator(".find button").click();
  await page.waitForURL(/sort_by=name/);
  await page.waitForFunction(() => document.querySelector("[data-results] a[rel=next]")?.href.includes("sort_by=name"));
  const first = await titles(page);
  await page.locator("[data-results] a[rel=next]").click();
  await page.waitForURL(/page=2/);
  await page.waitForFunction((t) => document.querySelector(".row h3").textContent !== t, first[0]);
  const second = await titles(page);
  assert.equal(first.some((t) => second.includes(t)), false, "the second page repeats the first");
  for (const javaScriptEnabled of [true, false]) {
    const other = await browser.newContext({ javaScriptEnabled });
    const shared = await other.newPage();
    await shared.goto(page.url());
    assert.deepEqual(await titles(shared), second, "a shared address shows the same");
    assert.equal(await shared.locator("#f-sort").inputValue(), "name");
    await other.close();
  }
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes("page="));
  await page.waitForFunction((t) => document.querySelector(".row h3").textContent === t, first[0]);
}

// orders: a list in the order of the ranking says that the figure beside its rows is another one; no other list does.
async function orders(page) {
  for (const [route, says] of [["/search?type=API", 1], ["/search?q=air&sort_by=ranking_score", 1], ["/browse/type/api", 1], ["/search?q=air", 0], ["/search?type=API&sort_by=name", 0]]) {
    await page.goto(base + route);
    assert.equal(await page.locator("[data-results] a[href$='/methodology']").count(), says, route);
  }
}

// door: what the first page offers leads on, in each language: example questions have an answer, and a theme, a
// type, a publisher and a country as many entries as stand beside it.
async function door(page) {
  const digits = (text) => Number(text.replaceAll(/\D/g, ""));
  for (const lang of ["", "/fr", "/de", "/nl"]) {
    await page.goto(`${base}${lang || "/"}`);
    const offers = await page.locator(".hero .chips a, .tiles a, .atlas li a, #h-themes ~ ul a").evaluateAll((list) => list.map((a) => ({ to: a.href, count: (a.querySelector(".count") ?? a.parentElement.querySelector(".count"))?.textContent })));
    assert.ok(offers.length > 20 && offers.filter((o) => o.count === undefined).length >= 3, `the first page in ${lang || "English"} offers ${offers.length}`);
    for (const { to, count } of offers) {
      const body = await (await page.request.get(to, { headers: { Accept: "text/html" } })).text();
      const found = digits(/data-count>([^<]*)/.exec(body)?.[1] ?? "0");
      if (count === undefined) assert.ok(found > 0, `${to} finds nothing`);
      else assert.equal(found, digits(count), to);
    }
    assert.ok((await page.locator(".map a").count()) > 10, "the map leads to countries");
  }
}

// suggested: publishers and titles are suggested beside themes and places, Escape closes the list and keeps what was typed.
async function suggested(page) {
  await page.goto(`${base}/`);
  const field = page.locator("main input[name=q]");
  for (const [typed, kind] of [["minist", "Institution"], ["weather w", "Title"], ["german", "Place"], ["health", "Theme"]]) {
    await field.fill("");
    await field.pressSequentially(typed, { delay: 20 });
    await page.locator(".suggest [role=option]", { hasText: kind }).first().waitFor();
  }
  assert.equal(await page.locator("[role=listbox]").getAttribute("id"), await field.getAttribute("aria-controls"));
  await page.keyboard.press("Escape");
  assert.equal(await field.getAttribute("aria-expanded"), "false");
  assert.equal(await field.inputValue(), "health");
}

// picked: entries are picked from results on two pages and stand side by side; only what differs is shown on request,
// at 360 pixels, too, where each value says of which entry it is.
async function picked(width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  for (const route of ["/search?q=air", "/de/search?q=wetter"]) {
    await page.goto(base + route);
    await page.locator(".row .pick").first().check();
  }
  await page.locator(".tray a").click();
  await page.waitForURL(/\/de\/compare\?ids=/);
  const rows = page.locator(".compare").first().locator("tbody tr:not(.group)");
  const all = await rows.count();
  await page.locator("#only").check();
  const shown = await rows.evaluateAll((list) => list.filter((r) => r.checkVisibility()).length);
  assert.ok(shown > 0 && shown < all, `${shown} of ${all} rows differ`);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the comparison is ${over} pixels too wide at ${width}`);
  if (width < 400) assert.match(await rows.locator("td").first().evaluate((d) => getComputedStyle(d, "::before").content), /\w/);
  await context.close();
}

// phone: results come first, and the filters are one tap away and back; on a tablet, too.
async function phone(scripts, width) {
  const context = await browser.newContext({ javaScriptEnabled: scripts, viewport: { width, height: 740 }, colorScheme: "dark" });
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
      await door(page);
      await orders(page);
      await suggested(page);
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
    await pages(page, scripts);
    await context.close();
    for (const width of [360, 768]) await phone(scripts, width);
  }
  await picked(1280, "light");
  await picked(768, "dark");
  await picked(360, "light");
  const compared = await numbers(base, ["", "air", "water", "weather", "transport", "population"]);
  console.log(`journeys: with the keyboard alone, with scripts and without, at 1280, 768 and 360 pixels; ${compared} counts of filters are those of what they find`);
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
