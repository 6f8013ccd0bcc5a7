import assert from "node:assert/strict";
import { test } from "node:test";

import { judge } from "./check-entries.mjs";

const file = "https://data.example/a.csv?x=1&y=2";
const langs = ["en", "fr", "de", "nl"].map((l) => `<link hreflang="${l}">`).join("");
const page = (main) => `<!doctype html><html lang="en"><head>${langs}</head><body><a href="#main">Skip</a><main>${main}</main></body></html>`;
const button = (href) => `<a class="btn btn-main" rel="nofollow" href="${href.replaceAll("&", "&amp;")}">Download CSV</a>`;
const entry = {
  license: { id: "CC-BY-4.0" }, auth_type: "NONE", access_rights: "PUBLIC", free_access_class: "FREE_NO_AUTH",
  dataset_details: { distributions: [{ download_url: file, format: "CSV", byte_size: 861_000_000 }] },
};

test("a page that agrees with its entry has no fault", () => assert.deepEqual(judge(entry, "en", page(button(file))), []));

for (const [what, changed, html, want] of [
  ["silence beside a licence", {}, page(`${button(file)}<p>No licence is stated. Without one…`), /beside a licence/],
  ["a licence where none is stated", { license: null }, page(button(file)), /does not say that no licence/],
  ["no file", {}, page(button("https://data.example/docs")), /offers none of its files/],
  ["another first action", {}, page(`${button("https://data.example/docs")}<a href="${file.replace("&", "&amp;")}">a</a>`), /begins with https:\/\/data.example\/docs/],
  ["a part of a service first", { dataset_details: null }, page(button("https://geo.example/wfs?service=WFS&request=GetFeature&count=1")), /gets a part/],
  ["figures of a sample", { data_profile: { data_size_bytes: 1600, record_count: 40, profile_source: file } }, page(`${button(file)}<dd>40</dd>`), /as those of the whole/],
  ["another language", {}, page(button(file)).replace('lang="en"', 'lang="fr"'), /another language/],
  ["a missing language", {}, page(button(file)).replace('<link hreflang="nl">', ""), /page in nl/],
  ["weight", {}, page(button(file) + "x".repeat(20_000)), /bytes/],
]) {
  test(`${what} is a fault`, () => assert.match(judge({ ...entry, ...changed }, "en", html).join("\n"), want));
}

test("a page for people that a source calls a file need not be offered as one", () => {
  for (const address of ["https://www.city.example", "https://www.city.example/#/map", "https://www.city.example/index.html"]) {
    const stated = { ...entry, dataset_details: { distributions: [{ download_url: address, format: "CSV" }] } };
    assert.deepEqual(judge(stated, "en", page(button("https://data.example/docs"))), []);
  }
});

test("what needs a key may begin with how to get one", () =>
  assert.deepEqual(judge({ ...entry, auth_type: "API_KEY" }, "en", page(`${button("https://data.example/key")}<a href="${file.replace("&", "&amp;")}">a</a>`)), []));
