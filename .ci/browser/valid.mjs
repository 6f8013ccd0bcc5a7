// Judges pages of each kind as HTML: node valid.mjs DIR
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HtmlValidate } from "html-validate";
import { kinds, routesOf } from "./site.mjs";

const [dir] = process.argv.slice(2);
const judge = new HtmlValidate({
  root: true, extends: ["html-validate:recommended"],
  rules: {
    // A title is as long as the name of what it is about.
    "long-title": "off",
    // Assets are of the same origin and named by their hash.
    "require-sri": "off",
    // A region that scrolls is a div with a role, so that it is no section of
    // the outline.
    "prefer-native-element": "off",
    "doctype-style": ["error", { style: "lowercase" }],
    // Components leave out what HTML lets one leave out.
    "no-implicit-close": "off", "attr-quotes": ["error", { style: "double", unquoted: true }],
    // Boxes of one filter share a name.
    "form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
    // The id of a rule is that of the rule.
    "valid-id": ["error", { relaxed: true }],
    // Publishers write their own languages, some of them unknown to the list.
    "valid-autocomplete": "off", "no-inline-style": "error", "no-trailing-whitespace": "off", "tel-non-breaking": "off",
    "text-content": "error", "unique-landmark": "off",
  },
});
const sample = new Set(kinds(dir).map((r) => r.split("?")[0]));
const routes = routesOf(dir).map((r) => r.route);
for (let i = 0; i < routes.length; i += Math.ceil(routes.length / 40)) sample.add(routes[i]);
let faults = 0;
let pages = 0;
for (const route of sample) {
  if (!routes.includes(route)) continue;
  pages++;
  const path = join(dir, route.endsWith(".html") ? route : join(route, "index.html"));
  const report = await judge.validateString(readFileSync(path, "utf8"), path);
  for (const r of report.results) for (const m of r.messages) {
    faults++;
    console.error(`${route}:${m.line}:${m.column} ${m.ruleId}: ${m.message}`);
  }
}
console.log(`HTML: ${pages} pages valid but for ${faults} faults`);
process.exit(faults ? 1 : 0);
