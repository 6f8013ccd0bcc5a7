// A console for an API: its operations, their parameters as a form, the request as code, and the
// answer. It is loaded when a reader asks for it.
import { base, el, lang, say } from "./dom.lib.js";

const quoteShell = (s) => `'${s.replaceAll("'", `'\\''`)}'`;

/** codes are the request as commands, the literals quoted as each language wants it. */
const codes = {
  curl: ({ method, url, body }) => `curl -sSL${/[[\]{}]/.test(url) ? "g" : ""}${method === "GET" ? "" : ` -X ${method}`} ${quoteShell(url)}${body ? ` \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoteShell(body)}` : ""}`,
  Python: ({ method, url, body }) => `import requests\n\nanswer = requests.request(${JSON.stringify(method)}, ${JSON.stringify(url)}${body ? `, data=${JSON.stringify(body)}.encode(), headers={"Content-Type": "application/json"}` : ""}, timeout=60)\nprint(answer.status_code, answer.text[:2000])`,
  JavaScript: ({ method, url, body }) => `const answer = await fetch(${JSON.stringify(url)}${method === "GET" ? "" : `, { method: ${JSON.stringify(method)}${body ? `, headers: { "Content-Type": "application/json" }, body: ${JSON.stringify(body)}` : ""} }`});\nconsole.log(answer.status, await answer.text());`,
};

/** remedies say what to do about an answer that is none, by its status. */
const remedies = {
  400: "Check the values: the server did not understand the request.", 401: "This operation wants a key or a login.", 403: "The server refuses this operation to everybody, or wants a key.",
  404: "Nothing lies there. Check the path and its values.", 405: "The server takes another method here.", 422: "Check the values: one of them is not allowed.",
  429: "Too many requests. Wait a minute and run it again.", 500: "The publisher's server failed. Try other values, or later.", 502: "The publisher's server did not answer. Try later.",
  503: "The server is busy. Try again in a moment.", 504: "The publisher's server took too long. Ask for less, or try later.",
};

const remedy = (status) => (status < 400 ? "" : say(remedies[status] ?? (status >= 500 ? remedies[500] : remedies[400])));

/** field is the input of a parameter. */
function field(p, id) {
  const hint = [p.type, p.description].filter(Boolean).join(" · ");
  const attributes = { id, name: p.name, "aria-describedby": hint ? `${id}-h` : null, required: p.required ? "" : null };
  const values = p.values?.length ? p.values : p.type === "boolean" ? ["true", "false"] : null;
  const input = values
    ? el("select", attributes, p.required ? null : el("option", { value: "" }, "–"), ...values.map((v) => el("option", { value: v, selected: v === p.example ? "" : null }, v)))
    : el("input", { ...attributes, type: "text", spellcheck: "false", autocomplete: "off", placeholder: p.example ?? "", value: p.required || p.in === "path" ? p.example ?? "" : "", inputmode: p.type === "integer" ? "numeric" : null });
  return el("div", {}, el("label", { for: id }, el("span", { translate: "no", class: "mono" }, p.name), p.required ? ` (${say("required")})` : ""), input,
    hint ? el("p", { class: "small soft", id: `${id}-h`, translate: "no", dir: "auto" }, hint) : null);
}

/** request is what the form says: the path with its values, and the query. */
function request(op, form) {
  const query = {};
  let path = op.path;
  for (const p of op.parameters ?? []) {
    const value = form.elements[p.name]?.value ?? "";
    if (p.in === "path") path = path.replaceAll(`{${p.name}}`, encodeURIComponent(value));
    else if (p.in === "query" && value !== "") query[p.name] = value;
  }
  return { path, query };
}

const address = (root, { path, query }) => `${root.replace(/\/$/, "")}${path}${Object.keys(query).length ? `${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}` : ""}`;

let consoles = 0;

/** build makes the console of some operations; run performs one, where that is possible. */
function build({ operations, root, run }) {
  const n = ++consoles;
  const fields = el("div", { class: "stack" });
  const form = el("form", { class: "card stack" });
  const choice = el("select", { id: `op-${n}` }, ...operations.map((op, i) => el("option", { value: i }, `${op.method} ${op.path}${op.summary ? ` – ${op.summary}` : ""}`.slice(0, 120))));
  const language = el("select", { "aria-label": say("Language of the code") }, ...Object.keys(codes).map((c) => el("option", {}, c)));
  const code = el("code");
  const go = el("button", { class: "btn btn-main", type: "submit" }, say("Run"));
  const status = el("p", { role: "status" });
  const body = el("pre", { tabindex: "0", "aria-label": say("Answer"), translate: "no", hidden: "" });
  const note = el("p", { class: "small soft" });
  const op = () => operations[choice.value || 0];
  const update = () => {
    const r = request(op(), form);
    code.textContent = codes[language.value]({ method: op().method, url: address(root, r) });
  };
  const change = () => {
    fields.replaceChildren(...(op().parameters ?? []).filter((p) => p.in === "path" || p.in === "query").map((p, i) => field(p, `p-${n}-${i}`)));
    const sendable = op().method === "GET" && run;
    go.hidden = !sendable;
    note.textContent = sendable ? "" : say("Only operations that read can be run from here. Use the code.");
    body.hidden = true;
    status.textContent = "";
    if (op().answer) {
      body.textContent = op().answer;
      body.hidden = false;
      status.textContent = say("An example of an answer, as the publisher describes it:");
    }
    update();
  };
  choice.addEventListener("change", change);
  form.addEventListener("input", update);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    [status.textContent, go.disabled, body.hidden] = ["…", true, true];
    const begin = performance.now();
    try {
      const answer = await run(op(), request(op(), form));
      status.textContent = `HTTP ${answer.status} · ${Math.round(answer.duration_ms ?? performance.now() - begin).toLocaleString(lang)} ms${answer.truncated ? ` · ${say("the first 1 MiB")}` : ""} ${remedy(answer.status)}`;
      body.textContent = pretty(answer.text);
      body.hidden = !answer.text;
    } catch (error) {
      status.textContent = `${error.message} ${error.status ? remedy(error.status) : say("Check the connection and run it again.")}`;
    }
    go.disabled = false;
  });
  form.append(...(operations.length > 1 ? [el("label", { for: `op-${n}` }, say("Operation")), choice] : []), fields, go, note, status, body, el("div", { class: "line" }, language), el("pre", { tabindex: "0", translate: "no", "aria-label": say("The request as code") }, code));
  change();
  return form;
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, 200_000);
  } catch {
    return text.slice(0, 200_000);
  }
};

/** failure is an error that knows the status behind it. */
const failure = (message, status) => Object.assign(new Error(message), { status });

/** forEntry is the console of an entry: operations from its JSON, run by way of the register. */
async function forEntry({ entry, runs }) {
  const response = await fetch(`${base}/api/v1/entries/${entry}`);
  if (!response.ok) throw failure(response.statusText, response.status);
  const { data = {} } = { data: await response.json() };
  const api = (data.entry ?? data).api_details ?? {};
  const operations = (api.endpoints ?? []).filter((o) => o.path?.startsWith("/"));
  const run = async (op, { path, query }) => {
    const answer = await fetch(`${base}/api/v1/proxy`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ entry, method: "GET", ...(path === "/" && !op.summary ? {} : { path }), query }),
    });
    const told = await answer.json();
    if (!answer.ok) throw failure(told.detail ?? told.title ?? answer.statusText, answer.status);
    return { ...told, text: told.body ?? told.body_base64 ?? "" };
  };
  return build({ operations: operations.length ? operations : [{ method: "GET", path: "/", parameters: [] }], root: api.base_url ?? api.ping_url ?? "", run: runs === "yes" ? run : null });
}

/** forOperation is the console of an operation of the register itself. */
async function forOperation({ operation }) {
  const response = await fetch(`${base}/openapi.json`);
  if (!response.ok) throw failure(response.statusText, response.status);
  const document = await response.json();
  const found = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).filter(([, o]) => o.operationId === operation).map(([method, o]) => ({ path, method, o, item })))[0];
  if (!found) throw failure(say("The description does not have it."), 404);
  const plain = (p) => (p.$ref ? document.components.parameters[p.$ref.split("/").pop()] : p);
  const parameters = [...(found.item.parameters ?? []), ...(found.o.parameters ?? [])].map(plain).map((p) => ({
    name: p.name, in: p.in, required: p.required, description: p.description, type: [p.schema?.type].flat()[0], values: p.schema?.enum, example: p.example ?? p.schema?.example ?? p.schema?.default,
  })).map((p) => ({ ...p, example: p.example == null ? undefined : String(p.example) }));
  const run = async (_, r) => {
    const answer = await fetch(address(base, r));
    return { status: answer.status, text: await answer.text() };
  };
  return build({ operations: [{ method: found.method.toUpperCase(), path: found.path, parameters }], root: new URL(`${base}/`, location.href).href, run });
}

/** open puts a console behind the button that asks for it. */
export async function open(button) {
  button.disabled = true;
  try {
    const form = await (button.dataset.operation ? forOperation : forEntry)(button.dataset);
    button.replaceWith(form);
    form.querySelector("select, input")?.focus();
  } catch (error) {
    button.disabled = false;
    button.after(el("p", { class: "note warn", role: "alert" }, `${error.message} ${error.status ? remedy(error.status) : ""}`));
  }
}
