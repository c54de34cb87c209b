/** Buttons that copy code, and forms that try a request and show its answer in the page. */
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement?.querySelector("code")?.textContent ?? "";
    await navigator.clipboard.writeText(code);
    const [label] = button.childNodes;
    const before = label.textContent;
    label.textContent = button.dataset.copied ?? before;
    setTimeout(() => {
      label.textContent = before;
    }, 2000);
  });
}

/** The address of a form's request: values in braces go into the path, the others into the query. */
function addressOf(form, fields) {
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const [name, value] of fields) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.append(name, value);
  }
  return `${path}${query.size === 0 ? "" : `?${query}`}`;
}

/** The most of an answer that is shown. */
const SHOWN_CHARACTERS = 20_000;

/** The body of an answer to read: JSON indented, and not endless. */
function readable(body) {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // not JSON: shown as it came
  }
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}\n…` : text;
}

/** The member of an MCP request's params that the header Mcp-Name repeats. */
const NAMED_BY = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };

/** A header's value; what is not visible ASCII is encoded, as MCP 2026-07-28 has it. */
function headerValue(text) {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

/** The session that the newest initialize opened. */
let session;

/** The headers of an MCP request: the stateless protocol repeats parts of the body, the older one names the session. */
function mcpHeaders(body) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  let message;
  try {
    message = JSON.parse(body);
  } catch {
    return headers; // the server says what is wrong
  }
  const { method, params } = message ?? {};
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (typeof version !== "string") {
    if (session !== undefined && method !== "initialize") headers["Mcp-Session-Id"] = session;
    return headers;
  }
  headers["MCP-Protocol-Version"] = headerValue(version);
  if (typeof method === "string") headers["Mcp-Method"] = headerValue(method);
  const name = params[NAMED_BY[method]];
  if (typeof name === "string") headers["Mcp-Name"] = headerValue(name);
  return headers;
}

for (const note of document.querySelectorAll(".needs-script")) note.hidden = true;

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const body = fields.get("body");
    const isForm = form.dataset.type === "form";
    const headers = typeof body === "string" ? mcpHeaders(body) : {};
    const output = form.querySelector("output");
    output.textContent = "…";
    const address = isForm || typeof body === "string" ? form.dataset.path : addressOf(form, fields);
    try {
      const answer = await fetch(address, {
        method: form.dataset.method,
        headers,
        ...(isForm ? { body: new URLSearchParams(fields) } : typeof body === "string" ? { body } : {}),
      });
      session = answer.headers.get("Mcp-Session-Id") ?? session;
      const listed = (pairs) => pairs.map(([name, value]) => `${name}: ${value}\n`).join("");
      const text = await answer.text();
      const pre = document.createElement("pre");
      pre.tabIndex = 0;
      pre.setAttribute("role", "region");
      pre.setAttribute("aria-label", form.dataset.answer ?? "");
      pre.textContent = `${form.dataset.method} ${address}\n${listed(Object.entries(headers))}\n${answer.status} ${answer.statusText}\n${listed([...answer.headers])}\n${readable(text)}`;
      output.replaceChildren(pre);
    } catch (error) {
      output.textContent = String(error);
    }
  });
}
