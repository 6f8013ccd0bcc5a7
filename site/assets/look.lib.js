// Looks into a file of a publisher: its rows as a table, page by page. It is loaded when a reader
// asks for it, and asks the register only, which passes the file on (POST /api/v1/proxy).
import { base, el, lang, say } from "./dom.lib.js";

const shown = 50;
const columnsMost = 60;

/** forward asks the publisher by way of the register. */
async function forward(entry, url, method = "GET", headers = {}) {
  const response = await fetch(`${base}/api/v1/proxy`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ entry, method, path: url, headers }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? answer.title ?? response.statusText);
  if (answer.status >= 400) throw new Error(`${say("The publisher's server answered")} HTTP ${answer.status}`);
  return answer;
}

function bytesOf(answer) {
  if (answer.body_base64 == null) return new TextEncoder().encode(answer.body ?? "");
  return Uint8Array.from(atob(answer.body_base64), (c) => c.charCodeAt(0));
}

/** textOf decodes a body that is no UTF-8 as what the register found out, or as most of Europe wrote. */
const textOf = (answer, encoding) => (answer.body ?? new TextDecoder(encoding || "windows-1252").decode(bytesOf(answer))).replace(/^\uFEFF/, "");

/** table reads text with separators (RFC 4180); of a cut file the last row is left out. */
export function table(text, separator, cut) {
  const first = text.slice(0, 4000).split("\n", 1)[0];
  const by = separator || [";", "\t", "|", ","].map((s) => [s, first.split(s).length]).sort((a, b) => b[1] - a[1])[0][0];
  const rows = [];
  let row = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === by) {
      row.push(cell);
      cell = "";
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[i + 1] === "\n") i++;
      row.push(cell);
      if (row.length > 1 || cell !== "") rows.push(row);
      [row, cell] = [[], ""];
    } else cell += c;
  }
  if (!cut && (row.length > 0 || cell !== "")) rows.push([...row, cell]);
  const [names = [], ...rest] = rows;
  return { names, rows: rest };
}

/** whole closes a document of JSON that was cut, behind its last complete member. */
export function whole(text) {
  const open = [];
  let string = false;
  let [at, closers] = [0, ""];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (string) {
      if (c === "\\") i++;
      else if (c === '"') string = false;
    } else if (c === '"') string = true;
    else if (c === "{" || c === "[") open.push(c === "{" ? "}" : "]");
    else if (c === "}" || c === "]") {
      open.pop();
      [at, closers] = [i + 1, [...open].reverse().join("")];
    }
  }
  return text.slice(0, at) + closers;
}

/** records finds the longest list of objects in a document, the least deep first. */
export function records(document) {
  let best = null;
  let level = [document];
  for (let depth = 0; depth < 6 && level.length; depth++) {
    const next = [];
    for (const value of level) {
      if (Array.isArray(value)) {
        if (value.length > (best?.length ?? 0) && value.filter((v) => v && typeof v === "object").length * 2 > value.length) best = value;
      } else if (value && typeof value === "object") next.push(...Object.values(value));
    }
    level = next;
  }
  return best ?? [document];
}

const flat = (value) => (value != null && typeof value === "object" ? JSON.stringify(value, (_, v) => (typeof v === "bigint" ? String(v) : v)) : value == null ? "" : String(value));

/** columns lays objects out as rows under the names of their members. */
export function columns(list) {
  const names = [...new Set(list.slice(0, 500).flatMap((r) => Object.keys(r ?? {})))];
  return { names, rows: list.map((r) => names.map((n) => flat(r?.[n]))) };
}

const features = (list) => list.map((f) => ({ ...f?.properties, geometry: f?.geometry?.type }));

/** parts reads a file of Parquet by its parts, so that only what is shown travels. */
async function parts(entry, url) {
  const { parquetMetadataAsync, parquetReadObjects } = await import("./parquet.lib.js");
  const head = await forward(entry, url, "HEAD");
  const byteLength = Number(head.headers["Content-Length"]);
  const range = async (from, to) => {
    const answer = await forward(entry, url, "GET", { Range: `bytes=${from}-${to - 1}` });
    const bytes = bytesOf(answer);
    if (answer.status === 206 && bytes.length === to - from) return bytes.buffer;
    if (answer.status === 200 && !answer.truncated) return bytes.slice(from, to).buffer;
    throw new Error(say("The publisher's server does not give parts of files. Download it."));
  };
  if (!byteLength) throw new Error(say("The publisher's server does not give parts of files. Download it."));
  const file = { byteLength, slice: (from, to = byteLength) => range(from < 0 ? byteLength + from : from, to) };
  const metadata = await parquetMetadataAsync(file, { initialFetchSize: Math.min(byteLength, 1 << 16) });
  const all = Number(metadata.num_rows);
  const list = await parquetReadObjects({ file, metadata, rowEnd: Math.min(all, 200) });
  return { ...columns(list), all };
}

async function read({ entry, url, format, separator, encoding }) {
  if (format === "Parquet") return parts(entry, url);
  const answer = await forward(entry, url);
  const cut = answer.truncated;
  const text = textOf(answer, encoding);
  if (format === "CSV" || format === "TSV") return { ...table(text, separator || (format === "TSV" ? "\t" : ""), cut), cut };
  if (format === "NDJSON") {
    const lines = text.split("\n").filter((l) => l.trim());
    return { ...columns((cut ? lines.slice(0, -1) : lines).map((l) => JSON.parse(l))), cut };
  }
  const document = JSON.parse(cut ? whole(text) : text);
  const list = records(document);
  return { ...columns(format === "GeoJSON" || document?.type === "FeatureCollection" ? features(list) : list), cut };
}

const count = (n) => n.toLocaleString(lang);

/** show draws rows that hold a text, a page at a time. */
function show({ names, rows, cut, all }, title) {
  let [from, list] = [0, rows];
  const width = names.slice(0, columnsMost);
  const body = el("tbody", { translate: "no" });
  const status = el("p", { class: "small soft", role: "status" });
  const filter = el("input", { type: "search", "aria-label": say("Only rows with"), placeholder: say("Only rows with") });
  const step = (label, by) => {
    const button = el("button", { class: "btn btn-s", type: "button" }, label);
    button.addEventListener("click", () => { from += by; draw(); });
    return button;
  };
  const [back, next] = [step(say("Previous"), -shown), step(say("Next"), shown)];
  const draw = () => {
    const page = list.slice(from, from + shown);
    body.replaceChildren(...page.map((r) => el("tr", {}, ...width.map((_, i) => el("td", { dir: "auto" }, (r[i] ?? "").slice(0, 300))))));
    back.disabled = from === 0;
    next.disabled = from + shown >= list.length;
    const span = list.length ? `${count(from + 1)}–${count(from + page.length)} / ${count(list.length)}` : "0";
    status.textContent = `${say("Rows")} ${span}${cut ? ` · ${say("the first 1 MiB of the file")}` : ""}${all > rows.length ? ` · ${count(all)} ${say("in the file")}` : ""}`;
  };
  filter.addEventListener("input", () => {
    const text = filter.value.toLowerCase();
    list = rows.filter((r) => r.some((c) => c.toLowerCase().includes(text)));
    from = 0;
    draw();
  });
  draw();
  return el("div", { class: "stack" }, el("div", { class: "line" }, filter, back, next), status,
    el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": title },
      el("table", {}, el("thead", { translate: "no" }, el("tr", {}, ...width.map((n) => el("th", { scope: "col" }, n)))), body)));
}

/** open puts the rows of the file that a button names behind it. */
export async function open(button) {
  const place = el("div", { class: "stack" }, el("p", { class: "small soft", role: "status" }, "…"));
  button.after(place);
  button.disabled = true;
  try {
    place.replaceChildren(show(await read(button.dataset), button.textContent));
    button.hidden = true;
  } catch (error) {
    place.replaceChildren(el("p", { class: "note warn", role: "alert" }, `${say("The file could not be read.")} ${error.message}`));
    button.disabled = false;
  }
}
