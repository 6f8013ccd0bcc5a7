// Writes what a rebuild did as Markdown, for the summary of a workflow:
//   node summary.mjs [FOLDER]
// reads harvest.json, verify.json, build.json and publish.json of the folder as
// far as they are there.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const rejectionsMax = 20;

const cell = (v) => String(v ?? "").replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (...cells) => `| ${cells.map(cell).join(" | ")} |`;
const table = (head, rows) => [row(...head), row(...head.map(() => "---")), ...rows.map((r) => row(...r))];
const number = (n) => Number(n ?? 0).toLocaleString("en");

function harvest(report) {
  const rows = report.sources.map((s) => [s.key, s.state, ...["in", "created", "updated", "unchanged", "quarantined", "rejected", "gone"].map((k) => number(s[k]))]);
  const lines = ["### Harvest", "", ...table(["source", "state", "in", "created", "updated", "unchanged", "quarantined", "rejected", "gone"], rows)];
  const rejected = report.sources.flatMap((s) => s.rejections ?? []);
  if (rejected.length > 0) {
    lines.push("", "Rejected:", "");
    for (const r of rejected.slice(0, rejectionsMax)) lines.push(`- \`${r.place}\`: ${r.reason} (${r.remedy})`);
    if (rejected.length > rejectionsMax) lines.push(`- … and ${number(rejected.length - rejectionsMax)} more`);
  }
  for (const s of report.sources) if (s.error) lines.push("", `**${s.key} failed:** ${s.error}`);
  return lines;
}

function verify(report) {
  const classes = Object.entries(report.error_classes ?? {}).map(([name, n]) => `${name} ${number(n)}`).join(", ");
  return ["### Verification", "", `${number(report.checked)} entries checked on ${number(report.hosts)} hosts: ${number(report.up)} up, ` +
    `${number(report.down)} down, ${number(report.host_down)} on hosts that are down${classes ? ` (${classes})` : ""}.`];
}

function build(report) {
  const seconds = (report.stages ?? []).reduce((sum, s) => sum + s.seconds, 0);
  return ["### Build", "", `Snapshot \`${report.snapshot}\` as of ${report.as_of}: ${number(report.entries)} entries, ${number(report.listed)} listed; ` +
    `${number(report.written)} files written, ${number(report.unchanged)} unchanged, ${number(report.removed)} removed in ${seconds.toFixed(1)} s.`,
    ...(report.problems ?? []).map((p) => `\n**Problem:** ${p}`)];
}

function publish(report) {
  return ["### Publish", "", `Generation ${report.generation}: ${number(report.new)} new, ${number(report.changed)} changed, ` +
    `${number(report.unchanged)} unchanged, ${number(report.deleted)} deleted.`];
}

export function summary(reports) {
  const parts = [];
  for (const [name, write] of Object.entries({ harvest, verify, build, publish })) {
    if (reports[name]) parts.push(...write(reports[name]), "");
  }
  return parts.length > 0 ? ["## Rebuild", "", ...parts].join("\n") : "## Rebuild\n\nNo step left a report.\n";
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const dir = process.argv[2] ?? ".";
  const reports = {};
  for (const name of ["harvest", "verify", "build", "publish"]) {
    const file = join(dir, `${name}.json`);
    if (existsSync(file)) reports[name] = JSON.parse(readFileSync(file, "utf8"));
  }
  process.stdout.write(summary(reports));
}
