// Makes the outlines of render/chart/worldmap from Natural Earth (public domain) as world-atlas
// packs it:
//   npm --prefix .ci/worldmap ci --ignore-scripts && node .ci/worldmap/make.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature, mergeArcs } from "topojson-client";
import { topology as arcsOf } from "topojson-server";
import { presimplify, simplify } from "topojson-simplify";

const root = new URL("../../", import.meta.url);
const atlas = createRequire(import.meta.url)("world-atlas/countries-50m.json");
const codes = new Map(
  readFileSync(new URL("render/codelist/countries.tsv", root), "utf8").trim().split("\n").map((line) => line.split("\t")).map((c) => [c[2], c[0]]),
);
// Shapes without a number of ISO 3166-1, and whose they are for the register: the state of which the
// United Nations hold them a part; Kosovo has the code that the EU gives it.
const named = { Kosovo: "XK", "N. Cyprus": "CY", Somaliland: "SO", "Indian Ocean Ter.": "AU", "Siachen Glacier": "IN" };

/** countries are the shapes by code in one topology, those of one country joined. */
function countries() {
  const parts = new Map();
  for (const f of feature(atlas, atlas.objects.countries).features) {
    const code = codes.get(f.id) || named[f.properties.name];
    if (!code) throw new Error(`no code for ${f.properties.name}`);
    const polygons = f.geometry.type === "Polygon" ? [f.geometry.coordinates] : f.geometry.coordinates;
    for (const polygon of polygons.flatMap(cut)) {
      const whose = owner(code, polygon);
      parts.set(whose, [...(parts.get(whose) ?? []), polygon]);
    }
  }
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  const t = arcsOf(Object.fromEntries(sorted.map(([code, coordinates]) => [code, { type: "MultiPolygon", coordinates }])));
  return [t, new Map(sorted.map(([code]) => [code, mergeArcs(t, t.objects[code].arcs.map((arcs) => ({ type: "Polygon", arcs })))]))];
}

/** owner corrects one drawing: Crimea is Ukraine's (United Nations, resolution 68/262). */
function owner(code, polygon) {
  if (code !== "RU") return code;
  const [[west, south], [east, north]] = box(polygon[0]);
  return west > 32 && east < 37 && south > 44 && north < 46.5 ? "UA" : code;
}

/** cut divides a polygon that crosses the meridian of 180 degrees, which the atlas has joined. */
function cut(polygon) {
  const [outer, ...holes] = polygon.map(unwrap);
  const [[west], [east]] = box(outer);
  if (west >= -180 && east <= 180) return [polygon];
  return [-360, 0, 360].map((by) => [outer, ...holes].map((r) => half(half(r.map(([x, y]) => [x + by, y]), 1), -1)).filter((r) => r.length > 3)).filter((p) => p.length);
}

/** unwrap lets longitudes go on beyond 180 degrees; a ring around the pole goes back along it. */
function unwrap(ring) {
  const out = [ring[0]];
  for (const [x, y] of ring.slice(1)) {
    const last = out.at(-1)[0];
    out.push([x + 360 * Math.round((last - x) / 360), y]);
  }
  return out.at(-1)[0] === out[0][0] ? out : [...out, [out.at(-1)[0], -90], [out[0][0], -90], out[0]];
}

/** half keeps what of a closed ring lies west of 180 degrees (side 1) or east of -180 (side -1). */
function half(ring, side) {
  const within = ([x]) => x * side <= 180;
  const out = ring.slice(1).flatMap((p, i) => {
    const q = ring[i];
    const at = [180 * side, q[1] + ((p[1] - q[1]) * (180 * side - q[0])) / (p[0] - q[0])];
    return [...(within(p) === within(q) ? [] : [at]), ...(within(p) ? [p] : [])];
  });
  return out.length ? [...out, out[0]] : out;
}

function box(points) {
  const x = points.map((p) => p[0]);
  const y = points.map((p) => p[1]);
  return [[Math.min(...x), Math.min(...y)], [Math.max(...x), Math.max(...y)]];
}

/** equalEarth projects degrees to a plane of width 1000 (Šavrič, Patterson, Jenny 2018). */
function equalEarth([lon, lat]) {
  const a = [1.340264, -0.081106, 0.000893, 0.003796];
  const t = Math.asin((Math.sqrt(3) / 2) * Math.sin((lat * Math.PI) / 180));
  const t2 = t * t;
  const t6 = t2 ** 3;
  const x = (2 * Math.sqrt(3) * (lon * Math.PI) / 180 * Math.cos(t)) / (3 * (9 * a[3] * t2 * t6 + 7 * a[2] * t6 + 3 * a[1] * t2 + a[0]));
  const y = t * (a[3] * t2 * t6 + a[2] * t6 + a[1] * t2 + a[0]);
  const scale = 500 / 2.706629683;
  return [500 + x * scale, 1.317362759 * scale - y * scale];
}

const [topology, all] = countries();
world([...all].filter(([code]) => code !== "AQ").map(([id, g]) => ({ ...g, id })));
outlines(all);

/** world writes one line a country: code, anchor, path of whole units. */
function world(geometries) {
  const arcs = topology.arcs.map((arc) => arc.map(equalEarth));
  const plane = presimplify({ type: "Topology", arcs, objects: { countries: { type: "GeometryCollection", geometries } } });
  const lines = (weight) => {
    const s = simplify(plane, weight);
    return s.objects.countries.geometries.map((g) => {
      const rings = g.arcs.flat().map((ring) => stitch(ring, s.arcs));
      const areas = rings.map(area);
      const most = Math.max(...areas);
      // Specks are left out, but for the largest one of a country.
      const path = rings.filter((r, i) => areas[i] === most || areas[i] >= 2.5).map(trace).join("");
      return [g.id, ...centre(largest(g)).map(Math.round), path].join("\t");
    });
  };
  const largest = (g) => g.arcs.flat().map((ring) => stitch(ring, arcs)).sort((a, b) => area(b) - area(a))[0];
  let weight = 0.2;
  while (lines(weight).join("\n").length > 24_000) weight *= 1.1;
  writeFileSync(new URL("render/chart/worldmap/world.tsv", root), `${lines(weight).join("\n")}\n`);
}

/** stitch makes the closed ring of a list of arcs, its end left out. */
function stitch(ring, arcs) {
  return ring.flatMap((i) => (i < 0 ? [...arcs[~i]].reverse() : arcs[i]).slice(0, -1));
}

function area(ring) {
  return Math.abs(ring.reduce((sum, [x, y], i) => sum + ring.at(i - 1)[0] * y - x * ring.at(i - 1)[1], 0)) / 2;
}

function centre(ring) {
  const [[x, y], [z, u]] = box(ring);
  return [(x + z) / 2, (y + u) / 2];
}

/** trace writes a ring as path data with relative steps; what leads nowhere is left out. */
function trace(ring) {
  const points = ring.map((p) => p.map(Math.round));
  const kept = points.filter((p, i) => i === 0 || p[0] !== points[i - 1][0] || p[1] !== points[i - 1][1]);
  if (kept.length < 3) return `M${kept[0].join(" ")}h1v1z`;
  const steps = kept.slice(1).map((p, i) => [p[0] - kept[i][0], p[1] - kept[i][1]]);
  return `M${kept[0].join(" ")}l${steps.flat().map((n, i) => (i && n >= 0 ? ` ${n}` : `${n}`)).join("")}z`;
}

/**
 * outlines writes the shapes in hundredths of a degree, as variable-length numbers: the count of
 * arcs, each with its count of points and the steps between them; then the count of countries, each
 * with its code, its count of rings, and each ring's count of arcs and their numbers, those that
 * are walked backwards as ~n.
 */
function outlines(list) {
  const plane = presimplify({ type: "Topology", arcs: topology.arcs, objects: { c: { type: "GeometryCollection", geometries: [...list.values()] } } });
  const arcs = simplify(plane, 0.0008).arcs.map((arc) => arc.map((p) => p.map((n) => Math.round(n * 100))));
  const used = new Map();
  const number = (i) => {
    const n = i < 0 ? ~i : i;
    if (!used.has(n)) used.set(n, used.size);
    return i < 0 ? ~used.get(n) : used.get(n);
  };
  const shapes = [...list].map(([code, g]) => [code, g.arcs.flat().map((ring) => ring.map(number))]);
  const out = [];
  const natural = (n) => {
    for (; n > 127; n = Math.floor(n / 128)) out.push((n % 128) | 128);
    out.push(n);
  };
  const whole = (n) => natural(n < 0 ? -2 * n - 1 : 2 * n);
  natural(used.size);
  for (const i of used.keys()) {
    const arc = arcs[i].filter((p, n, a) => n === 0 || p[0] !== a[n - 1][0] || p[1] !== a[n - 1][1]);
    natural(arc.length);
    arc.forEach((p, n) => p.forEach((v, k) => whole(v - (n ? arc[n - 1][k] : 0))));
  }
  natural(shapes.length);
  for (const [code, rings] of shapes) {
    out.push(...Buffer.from(code));
    natural(rings.length);
    for (const ring of rings) {
      natural(ring.length);
      ring.forEach(whole);
    }
  }
  writeFileSync(new URL("render/chart/worldmap/outlines.bin", root), Buffer.from(out));
}
