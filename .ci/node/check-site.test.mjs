// node --test: the check accepts a good tree and names each fault of a bad one.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { checkSite, fileOf } from "./check-site.mjs";

const sha256 = (s) => createHash("sha256").update(s).digest("hex");
const stamped = ["answer_sha256", "stamped_keys", "row_count"];

function seal(body, rows) {
  return JSON.stringify({ ...body, manifest: { answer_sha256: sha256(JSON.stringify(body)), stamped_keys: stamped, row_count: rows } });
}

// tree is a register of three entries on two list pages below /register.
function tree() {
  const pinned = (n) => `/register/s/x/api/v1/entries/pages/${n}`;
  const page = (n, ids) => seal({
    items: ids.map((id) => ({ id, tags: [], extra: [{ note: 'a "quoted" <b> \u2028 €' }] })),
    total: 3, page: n, limit: 2, total_pages: 2, snapshot: "x",
    links: { self: pinned(n), first: pinned(1), prev: n === 1 ? null : pinned(1), next: n === 1 ? pinned(2) : null, last: pinned(2) },
  }, 2 * ids.length);
  return {
    "/api/v1/entries": page(1, ["a", "b"]),
    "/s/x/api/v1/entries/pages/1": page(1, ["a", "b"]),
    "/s/x/api/v1/entries/pages/2": page(2, ["c"]),
    "/api/v1/entries/a": seal({ id: "a", score: 0.1 }, 0),
    "/openapi.json": JSON.stringify({ responses: { 200: {}, 404: {}, default: {} } }),
    "/tombstones.ndjson": '{"id":"z"}\n',
  };
}

// check writes the tree, with the hashes of `listed` when they should differ
// from the files, and judges it.
function check(files, { listed = files, base = "https://host.example/register" } = {}, judge = checkSite) {
  const dir = mkdtempSync(join(tmpdir(), "check-site-"));
  const type = (r) => (r.endsWith(".ndjson") ? "application/x-ndjson; charset=utf-8" : "application/json; charset=utf-8");
  const put = (file, text) => {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  };
  try {
    for (const [route, text] of Object.entries(files)) put(fileOf(route, type(route)), text);
    put("snapshot.json", JSON.stringify({ snapshot: "x", base_url: base }));
    put("routes.ndjson", Object.entries(listed).map(([route, text]) => JSON.stringify({
      route, type: type(route), class: "list", sha256: sha256(text), bytes: Buffer.byteLength(text),
    }) + "\n").join(""));
    return judge(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("a good tree has no mismatch", () => {
  const { counts, problems } = check(tree());
  assert.deepEqual(problems, []);
  assert.deepEqual({ ...counts, bytes: 0 }, { routes: 6, aliases: 0, json: 5, sealed: 4, bytes: 0, listPages: 2 });
});

test("routes without an extension are folders", () => {
  assert.equal(fileOf("/", "text/html; charset=utf-8"), "index.html");
  assert.equal(fileOf("/api/v1/entries", "application/json"), "api/v1/entries/index.json");
  assert.equal(fileOf("/openapi.json", "application/json"), "openapi.json");
});

const faults = {
  "a changed byte": [/sha256 is/, (t) => ({ listed: { ...t, "/api/v1/entries/a": t["/api/v1/entries/a"].replace("0.1", "0.2") } })],
  "a missing file": [/cannot read/, (t) => ({ listed: { ...t, "/api/v1/entries/b": "{}" } })],
  "a wrong hash of an answer": [/answer_sha256/, (t) => void (t["/api/v1/entries/a"] = t["/api/v1/entries/a"].replace("0.1", "0.2"))],
  "a wrong row count": [/row_count is 7, the body has 0/, (t) => void (t["/api/v1/entries/a"] = seal({ id: "a" }, 7))],
  "an integer-like key": [/integer-like key 7/, (t) => void (t["/api/v1/entries/a"] = '{"7":1}')],
  "an unsafe integer": [/\$\.n is an integer beyond/, (t) => void (t["/api/v1/entries/a"] = '{"n":9007199254740993}')],
  "a negative zero": [/\$\.n is -0/, (t) => void (t["/api/v1/entries/a"] = '{"n":-0}')],
  "spaces": [/JSON\.stringify/, (t) => void (t["/api/v1/entries/a"] = '{"n": 1}')],
  "escaped text": [/JSON\.stringify/, (t) => void (t["/api/v1/entries/a"] = '{"n":"\\u003c"}')],
  "no JSON": [/is not JSON/, (t) => void (t["/api/v1/entries/a"] = "{")],
  "a lost list page": [/pages\/2: the list leads here/, (t) => void delete t["/s/x/api/v1/entries/pages/2"]],
  "a lost entry": [/total is 3, its pages hold 2/, (t) => {
    const p = JSON.parse(t["/s/x/api/v1/entries/pages/2"]);
    delete p.manifest;
    t["/s/x/api/v1/entries/pages/2"] = seal({ ...p, items: [] }, 0);
  }],
  "a link out of the register": [/outside the register/, () => ({ base: "https://host.example/elsewhere" })],
  "no list": [/\/api\/v1\/entries: is missing/, (t) => void delete t["/api/v1/entries"]],
};

for (const [name, [pattern, spoil]] of Object.entries(faults)) {
  test(`${name} is named`, () => {
    const files = tree();
    const { problems } = check(files, spoil(files) ?? {});
    assert.match(problems.join("\n"), pattern);
  });
}

test("the command counts, names and exits with 1", () => {
  const script = fileURLToPath(new URL("check-site.mjs", import.meta.url));
  const run = (dir) => spawnSync(process.execPath, [script, dir], { encoding: "utf8" });
  const good = check(tree(), {}, run);
  assert.equal(good.status, 0, good.stderr);
  assert.match(good.stdout, /6 routes .* 0 mismatches/);
  const bad = check({ ...tree(), "/api/v1/entries/a": '{"n":-0}' }, {}, run);
  assert.equal(bad.status, 1);
  assert.match(bad.stderr, /\/api\/v1\/entries\/a: \$\.n is -0/);
});
