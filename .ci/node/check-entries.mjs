// The pages of entries beside what the register publishes about them as JSON, in every language:
// node check-entries.mjs DIR|URL [SHARE], of a directory or of a service. It looks for pages that contradict their licence or their figures,
// that do not offer a file that the entry states, or that are heavy. SHARE (1 if left out) of the
// entries is looked at, evenly over their ids.
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// What no page with a licence may say, by language.
const silent = {
  en: ["No licence is stated", "does not say on what terms"], fr: ["Aucune licence indiquée", "Aucune licence n’est indiquée"],
  de: ["Keine Lizenz angegeben", "Es ist keine Lizenz angegeben"], nl: ["Geen licentie vermeld", "Er is geen licentie vermeld"],
};
const ofSample = { en: "of the sample", fr: "de l’échantillon", de: "in der Stichprobe", nl: "van de steekproef" };

// heavy is how many bytes a page has at most, before compression.
export const heavy = 20_000;

const entities = { "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&" };
const plain = (html) => html.replace(/&(lt|gt|#34|#39|amp);/g, (e) => entities[e]);
const hrefs = (html) => [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map((m) => plain(m[1]));

// call tells that an address is a call of a web service and not a file.
function call(address, format) {
  if (/\/collections\/[^/]+\/?$/.test(new URL(address).pathname)) return true;
  if (/\/collections\/[^/]+\/items\/?$/.test(new URL(address).pathname) && new URL(address).searchParams.has("limit")) return true;
  const query = new URLSearchParams([...new URL(address).searchParams].map(([k, v]) => [k.toLowerCase(), v.toLowerCase()]));
  const named = ["typename", "typenames", "coverage", "coverageid", "identifier", "storedquery_id", "featureid", "resourceid"].some((k) => query.get(k));
  if (named && ["getfeature", "getcoverage"].includes(query.get("request"))) return ["count", "maxfeatures", "subset", "scalefactor"].some((k) => query.has(k));
  if (["getfeature", "getcoverage"].includes(query.get("request"))) return true;
  return query.has("service") || /^(ogc-)?(wms|wfs|wcs|wmts|csw|wps|sparql|atom|api)(_srvc)?$/i.test(format ?? "") || /^arcgis-rest$/i.test(format ?? "");
}

// page tells that what a source calls a file is for people: the front door of a host, or HTML.
function page(address, format) {
  const u = new URL(address);
  return (u.pathname === "/" && u.search === "") || u.hash.startsWith("#/") || /\.html?$/i.test(u.pathname) || /^x?html?$/i.test(format ?? "");
}

// judge names what is wrong with a page.
export function judge(entry, lang, html) {
  const faults = [];
  const text = plain(html.slice(html.indexOf("<main")));
  const licensed = entry.license ?? entry.license_raw;
  if (licensed) {
    for (const words of silent[lang]) if (text.includes(words)) faults.push(`says "${words}" beside a licence`);
  } else if (!entry.api_details?.terms_url && !text.includes(silent[lang][0])) {
    faults.push("does not say that no licence is stated");
  }
  const links = hrefs(html);
  const first = links[html.slice(0, html.indexOf('class="btn btn-main"')).match(/<a\s[^>]*?href="/g)?.length ?? 0];
  const files = (entry.dataset_details?.distributions ?? []).filter((f) => /^https?:\/\//.test(f.download_url ?? "") && URL.canParse(f.download_url) && !call(f.download_url, f.format) && !page(f.download_url, f.format));
  if (files.length > 0) {
    const offered = new Set(links.map((l) => (URL.canParse(l) ? new URL(l).href : l)));
    if (!files.some((f) => offered.has(new URL(f.download_url).href))) faults.push("offers none of its files");
    const guarded = !["NONE", "UNKNOWN"].includes(entry.auth_type) || ["RESTRICTED", "NON_PUBLIC"].includes(entry.access_rights) || entry.free_access_class === "FREE_KEY_REQUIRED";
    if (!guarded && !files.some((f) => URL.canParse(first ?? "") && new URL(f.download_url).href === new URL(first).href)) faults.push(`begins with ${first} and not with a file`);
  }
  if (first && URL.canParse(first) && /request=getfeature/i.test(first) && /[?&](count|maxfeatures)=/i.test(first)) faults.push(`begins with a call that gets a part: ${first}`);
  const profile = entry.data_profile;
  if (profile?.data_size_bytes) {
    const stated = files.map((f) => Number(f.byte_size ?? 0)).find((n, i) => n > 2 * profile.data_size_bytes && files[i].download_url === profile.profile_source);
    if (stated && profile.record_count && !profile.record_count_estimated && !text.includes(ofSample[lang])) faults.push("gives figures of a sample as those of the whole");
  }
  for (const other of Object.keys(silent)) if (!html.includes(`hreflang="${other}"`)) faults.push(`does not name its page in ${other}`);
  if (!html.includes(`<html lang="${lang}"`)) faults.push("is in another language than its address says");
  if (Buffer.byteLength(html) > heavy) faults.push(`has ${Buffer.byteLength(html)} bytes`);
  return faults;
}

// directory and service read documents by route; undefined is what is not there.
const directory = (dir) => ({
  ids: async () => readdirSync(join(dir, "api/v1/entries")).filter((n) => /^[0-9a-f]{8}-/.test(n)),
  read: async (route) => {
    const file = join(dir, route, route.startsWith("/api/") ? "index.json" : "index.html");
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  },
});
const service = (base) => {
  const read = async (route) => {
    const answer = await fetch(base + route);
    return answer.ok ? answer.text() : undefined;
  };
  return {
    // A route may stand there as what another one is the same as, too.
    ids: async () => [...new Set((await read("/routes.ndjson")).match(/(?<="\/api\/v1\/entries\/)[0-9a-f-]{36}(?=")/g))],
    read,
  };
};

async function main(from, share = 1) {
  const site = /^https?:/.test(from) ? service(from) : directory(from);
  const ids = (await site.ids()).sort();
  const step = Math.max(1, Math.round(1 / share));
  let faults = 0;
  const sizes = [];
  for (let i = 0; i < ids.length; i += step) {
    const entry = JSON.parse(await site.read(`/api/v1/entries/${ids[i]}`));
    for (const lang of Object.keys(silent)) {
      const route = `${lang === "en" ? "" : `/${lang}`}/entry/${entry.slug}`;
      const page = await site.read(route);
      const found = page === undefined ? ["is not there"] : judge(entry, lang, page);
      if (page !== undefined) sizes.push(Buffer.byteLength(page));
      for (const f of found) console.error(`${route}: ${f}`);
      faults += found.length;
    }
  }
  sizes.sort((a, b) => a - b);
  console.log(`check-entries: ${sizes.length} pages, median ${sizes[sizes.length >> 1]} bytes, largest ${sizes.at(-1)}, ${faults} faults`);
  return faults === 0 && sizes.length > 0;
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) process.exit((await main(process.argv[2], Number(process.argv[3] ?? 1))) ? 0 : 1);
