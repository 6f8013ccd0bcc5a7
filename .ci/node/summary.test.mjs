import assert from "node:assert/strict";
import test from "node:test";
import { summary } from "./summary.mjs";

test("a maintainer reads what happened", () => {
  const text = summary({
    harvest: { sources: [{ key: "ours", state: "complete", in: 12345, created: 1, rejected: 1,
      rejections: [{ place: "s.csv:3", reason: "the record has no name", remedy: "give it one" }] },
      { key: "theirs|x", state: "failed", error: "no answer" }] },
    verify: { checked: 3, hosts: 2, up: 2, down: 1, host_down: 0, error_classes: { dns: 1 } },
    build: { snapshot: "20261121-x", as_of: "2026-11-21", entries: 3, listed: 2, written: 9, stages: [{ seconds: 1 }, { seconds: 0.5 }], problems: ["odd"] },
    publish: { generation: 4, new: 1, changed: 2, unchanged: 3, deleted: 0 },
  });
  for (const part of ["| ours | complete | 12,345 |", "theirs\\|x", "`s.csv:3`: the record has no name (give it one)", "**theirs|x failed:** no answer",
    "(dns 1)", "in 1.5 s", "**Problem:** odd", "Generation 4: 1 new, 2 changed"]) {
    assert.ok(text.includes(part), `${part} is missing in\n${text}`);
  }
});

test("long lists are cut, and nothing is said to be nothing", () => {
  const rejections = Array.from({ length: 30 }, (_, i) => ({ place: `p${i}`, reason: "r", remedy: "m" }));
  assert.match(summary({ harvest: { sources: [{ key: "a", state: "complete", rejections }] } }), /and 10 more/);
  assert.match(summary({}), /No step left a report/);
});
