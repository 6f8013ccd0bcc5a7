// Makes the scores of an entry again from published JSON: its page, its scores and checks, and
// the rules as data (/api/v1/rules.json). It shares no code with what made them.

const at = (value, path) => path.split(".").reduce((v, name) => (v === null || typeof v !== "object" ? undefined : v[name]), value);
const isThere = (v) => v !== undefined && v !== null && v !== "" && !(Array.isArray(v) && v.length === 0);
const tenths = (v) => Math.round(v * 10);

/** holds tells whether a condition holds of an entry; one that says nothing does. */
export function holds(rules, when, entry) {
  if (!when) return false;
  if (when.there) return isThere(at(entry, when.there));
  if (when.any) return when.any.some((w) => holds(rules, w, entry));
  if (when.all) return when.all.every((w) => holds(rules, w, entry));
  if (when.not) return !holds(rules, when.not, entry);
  if (!when.path) return true;
  const v = at(entry, when.path);
  const list = Array.isArray(v) ? v : [];
  if (when.begins) return typeof v === "string" && v.startsWith(when.begins);
  if (when.one_of) return when.one_of.includes(v);
  if (when.has) return list.some((item) => Object.entries(when.has).every(([name, want]) => at(item, name) === want));
  if (when.among) return list.some((item) => typeof item === "string" && rules.lists[when.among].includes(item.toUpperCase()));
  return v === when.is;
}

// The value of an axis in tenths, null where it is unknown.
function axisOf(rules, axis, entry, checks) {
  if (axis.neutral_unless && at(entry, axis.neutral_unless) !== true) return tenths(axis.neutral);
  if (axis.known && !holds(rules, axis.known, entry)) return null;
  if (axis.combine === "steps") {
    const items = checks.items ?? [];
    const up = items.filter((c) => c.up === true).length;
    if (items.length === 0) return null;
    const level = axis.rules.flatMap((r) => r.levels ?? []).find((l) => 100 * up >= l.points * items.length);
    return level ? tenths(level.points) : 0;
  }
  let hits = 0;
  let sum = 0;
  const judged = axis.rules.filter((r) => r.points[entry.type] !== undefined);
  for (const r of judged) {
    const level = (r.levels ?? []).find((l) => holds(rules, l.when, entry));
    if (level) sum += tenths(level.points);
    if (r.when && holds(rules, r.when, entry)) {
      hits++;
      sum += tenths(r.points[entry.type]);
    }
  }
  if (axis.combine === "share") return Math.floor((2000 * hits + judged.length) / (2 * judged.length));
  return sum;
}

const day = (text) => Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86400000;

// maintenance_score in ten-thousandths, null where it is unknown.
function freshnessOf(rules, entry, quality) {
  if (!entry.source_modified_at) return null;
  const since = at(quality, "freshness.since");
  const age = since ? day(since) - day(entry.source_modified_at) : NaN;
  if (!rules.age_steps_days.includes(age)) throw new Error(`freshness.since ${since} is no step of the age since ${entry.source_modified_at}`);
  return Math.floor(10000 * 0.5 ** (age / rules.half_life_days) + 0.5);
}

function popularityOf(rules, quality, official) {
  const uses = at(quality, "popularity.uses");
  if (!uses) return null;
  if (official) return 0;
  const n = Object.values(uses).reduce((sum, v) => sum + v, 0);
  return Math.floor(10000 * Math.min(1, Math.log10(1 + n) / Math.log10(1 + rules.full_at)) + 0.5);
}

/** recompute makes the scores of an entry again. */
export function recompute(rules, entry, quality, checks) {
  const values = {};
  const axes = {};
  for (const axis of rules.axes) {
    const v = axisOf(rules, axis, entry, checks);
    if (v !== null) [axes[axis.id], values[axis.id]] = [v / 10, v];
  }
  const official = entry.is_public_sector === true;
  values.verification = tenths(rules.verification[entry.verification_state] ?? 0);
  const fresh = freshnessOf(rules, entry, quality);
  if (fresh !== null) values.freshness = Math.floor((fresh + 5) / 10);
  const popular = popularityOf(rules, quality, official);
  if (popular !== null) values.popularity = Math.floor((popular + 5) / 10);
  const total = (score) => {
    let [sum, weights] = [0, 0];
    for (const f of rules.formulas) {
      if (f.score !== score || (f.applies_to && f.applies_to !== (official ? "official" : "not official"))) continue;
      for (const t of f.terms) {
        if (t.input === "popularity" && popular === null) continue;
        sum += t.weight * (values[t.input] ?? 0);
        weights += t.weight;
      }
    }
    return weights === 0 ? 0 : Math.floor((2 * sum + weights) / (2 * weights)) / 10;
  };
  const mqa = total("mqa_score");
  return { axes, mqa_score: mqa, trust_score: total("trust_score"), ranking_score: total("ranking_score"),
    mqa_tier: rules.tiers.find((t) => mqa >= t.from)?.tier ?? "unranked" };
}
