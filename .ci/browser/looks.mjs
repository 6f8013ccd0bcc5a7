// The looks in which every page is judged, and what axe-core finds in one: wide
// and at 360 pixels, each in light, dark and forced colours.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export const views = [{ name: "wide", width: 1280, height: 900 }, { name: "phone", width: 360, height: 740 }];
export const modes = [{ name: "light", media: { colorScheme: "light", forcedColors: "none" } }, { name: "dark", media: { colorScheme: "dark", forcedColors: "none" } },
  { name: "forced", media: { colorScheme: "light", forcedColors: "active" } }];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Colours are all that differs between the modes, so all rules run once for
// each width and those about colours each time.
const colours = ["color-contrast", "link-in-text-block"];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// judgeModes gives each violation on the open page, in all modes or some, to fault.
export async function judgeModes(page, place, fault, some = modes) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  for (const mode of some) {
    await page.emulateMedia(mode.media);
    const runOnly = mode.name === "light" ? { type: "tag", values: tags } : { type: "rule", values: colours };
    const found = await page.evaluate(async (only) => {
      const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly: only });
      return violations.flatMap((v) => v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(" ")} (${(n.any[0] ?? n.all[0] ?? n.none[0])?.message ?? v.help})`));
    }, runOnly);
    for (const v of found) fault(`${place}, ${mode.name}: ${v}`);
  }
}

// judgeWidth opens what is folded and gives a page that is wider than its window
// to fault.
export async function judgeWidth(page, place, fault) {
  const over = await page.evaluate(() => {
    for (const d of document.querySelectorAll("details")) d.open = true;
    return document.documentElement.scrollWidth - innerWidth;
  });
  if (over > 0) fault(`${place}: ${over} pixels too wide`);
}

// judgeHeaders gives a policy that lets in more than the page needs to fault.
export function judgeHeaders(answer, place, fault) {
  const csp = answer.headers()["content-security-policy"] ?? "";
  if (!csp.includes("default-src 'none'") || csp.includes("unsafe")) fault(`${place}: content security policy ${csp}`);
}

// says waits for a page to show a text, at most ten seconds: a page that came
// by a click may be there before it was read to its end.
export async function says(page, text) {
  const main = page.locator("main");
  await main.filter({ hasText: text }).waitFor({ state: "attached", timeout: 10_000 })
    .catch(async () => { throw new Error(`${page.url()} lacks "${text}": ${(await main.textContent()).replaceAll(/\s+/g, " ").slice(0, 600)}`); });
}

// sent presses a button and waits for the page that it leads to.
export const sent = (page, button) => Promise.all([page.waitForNavigation({ waitUntil: "load" }), button.click()]);
