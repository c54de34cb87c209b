/** One operation in the reference: purpose, parameters, responses, samples, and a form to try it. */
import { html } from "hono/html";
import { renderCode, withCode } from "../part/code-sample.ts";
import type { Markup } from "../text/markup.ts";
import { ENGLISH } from "../text/words-en.ts";
import type {
  Content,
  Description,
  Operation,
  OperationResponse,
  Parameter,
  ResponseHeader,
  SchemaPart,
} from "./openapi-types.ts";

export interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Renders the section; the operation's id is the heading's anchor. */
export function renderOperation(description: Description, baseUrl: string, entry: Entry): Markup {
  const { path, method, operation } = entry;
  const parameters = (operation.parameters ?? []).map((one) => named(one, description.components.parameters));
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const fields = body?.[0] === FORM_TYPE ? formFields(body[1].schema, body[1].example) : [];
  const rows = [...parameters, ...fields];
  const title = `${method.toUpperCase()} ${path}`;
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, named(response, description.components.responses)] as const,
  );
  const answer = (status: string, response: OperationResponse) =>
    html`${isUsual(status) ? withCode(sentence(response.description)) : ""}${renderAnswer(`Answer ${status} of ${title}`, { status, response, headers: description.components.headers })}`;
  return html`<section class="card operation" aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}"><code><span class="method">${method.toUpperCase()}</span> ${path}</code></h3>
<p><strong>${operation.summary}.</strong> ${withCode(operation.description)}</p>
${rows.length === 0 ? "" : renderParameters(title, rows)}
<h4>Request</h4>
${renderCode(curl(baseUrl, entry, parameters), `Request: ${title}`, ENGLISH)}
<h4>Answers</h4>
<dl>${responses.filter(([status]) => isUsual(status)).map(([status, response]) => html`<dt>${status}</dt><dd>${answer(status, response)}</dd>`)}</dl>
${responses.filter(([status]) => !isUsual(status)).map(([status, response]) => html`<details class="answer"><summary>${status} ${withCode(response.description)}</summary>${answer(status, response)}</details>`)}
${renderPageLink(operation, baseUrl)}
${renderTrial(entry, rows)}
</section>`;
}

/** Whether it is a usual answer; the others are collapsed. */
function isUsual(status: string): boolean {
  return status.startsWith("2");
}

const FORM_TYPE = "application/x-www-form-urlencoded";

function named<T extends { readonly $ref?: string }>(part: T, components: Readonly<Record<string, T>>): T {
  return components[part.$ref?.split("/").at(-1) ?? ""] ?? part;
}

/** Converts a form's fields to parameters. */
function formFields(schema: SchemaPart, example: unknown): Parameter[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: "form",
    required: required.includes(name),
    description: field.description ?? "",
    schema: field,
    example: (example as Readonly<Record<string, unknown>> | undefined)?.[name],
  }));
}

function renderParameters(title: string, rows: readonly Parameter[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters of ${title}"><table><thead><tr><th scope="col">Name</th><th scope="col">Where</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row"><code>${row.name}</code></th><td>${row.in}${row.required === true ? ", required" : ""}</td><td>${withCode(meaning(row))}</td></tr>`,
  )}</tbody></table></div>`;
}

/** A parameter's description, range, allowed values and default, as sentences. */
function meaning({ description = "", schema }: Pick<Parameter, "description" | "schema">): string {
  const { minimum, maximum, default: usual, enum: values } = schema;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `At least ${minimum}`
        : maximum !== undefined
          ? `At most ${maximum}`
          : "";
  const sentences = [
    description,
    range === "" || description.includes(range) ? "" : range,
    values === undefined ? "" : `One of ${values.map(String).join(", ")}`,
    usual === undefined ? "" : `${String(usual)} where it is not given`,
  ];
  return sentences
    .filter((one) => one !== "")
    .map(sentence)
    .join(" ");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) || text === "" ? text : `${text}.`;
}

interface Answer {
  readonly status: string;
  readonly response: OperationResponse;
  /** The headers that responses share. */
  readonly headers: Readonly<Record<string, ResponseHeader>>;
}

/** A sample of the answer's body, or of its head if it has no body. */
function renderAnswer(label: string, { status, response, headers }: Answer): Markup {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  if (media?.example !== undefined)
    return html` <span class="soft">${type}</span>${renderCode(written(media.example), label, ENGLISH)}`;
  const lines = Object.entries(response.headers ?? {}).map(
    ([name, header]) => `${name}: ${named(header, headers).example ?? ""}`,
  );
  return renderCode([`HTTP/1.1 ${status} ${REASONS[status] ?? ""}`, ...lines].join("\n"), label, ENGLISH);
}

/** The reason phrases of responses without a body. */
const REASONS: Readonly<Record<string, string>> = { "202": "Accepted", "304": "Not Modified" };

/** A link to the page with the same content; guides on this page need none. */
function renderPageLink({ externalDocs }: Operation, baseUrl: string): Markup {
  const path = externalDocs?.url.slice(baseUrl.length) ?? "";
  return path === "" || path.startsWith("/docs") ? "" : html`<p>The same for people: <a href="${path}">${path}</a></p>`;
}

function written(example: unknown): string {
  return typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2);
}

/** The request as a curl command that works unchanged. */
function curl(baseUrl: string, { path, method, operation }: Entry, parameters: readonly Parameter[]): string {
  const body: Content = operation.requestBody?.content ?? {};
  const given = parameters.filter(({ example }) => example !== undefined);
  const inPath = given.filter((one) => one.in === "path");
  const query = new URLSearchParams(
    given.filter((one) => one.in === "query").map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const address = inPath.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const url = `${baseUrl}${address}${query.size === 0 ? "" : `?${query}`}`;
  if (method === "get") return `curl --compressed '${url}'`;
  const [type = "", media] = Object.entries(body)[0] ?? [];
  if (type === FORM_TYPE) {
    const fields = Object.entries(media?.example as object).map(
      ([name, value]) => `  --data-urlencode '${name}=${String(value)}'`,
    );
    return [`curl '${url}'`, ...fields].join(" \\\n");
  }
  const data = JSON.stringify(media?.example);
  return [
    `curl '${url}'`,
    ...Object.entries(MCP_HEADERS).map(([name, value]) => `  -H '${name}: ${value}'`),
    `  -d '${data}'`,
  ].join(" \\\n");
}

/** Headers for the sample MCP request, in the stateless revision. The form derives them from its body. */
const MCP_HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  "Mcp-Name": "search_reviews",
} as const;

/** A form that sends the request. It also works without scripts, in a new page, unless HTML forms cannot send it. */
function renderTrial({ path, method, operation }: Entry, rows: readonly Parameter[]): Markup {
  const inputs = rows.filter((row) => row.in !== "header");
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  const isJson = body !== undefined && body[0] !== FORM_TYPE;
  const id = (name: string) => `${operation.operationId}-${name}`;
  const field = ({ name, schema, example, required }: Parameter) =>
    html`<p><label for="${id(name)}">${name}</label>${
      schema.enum === undefined
        ? html`<input id="${id(name)}" name="${name}" value="${example === undefined ? "" : String(example)}"${required === true ? html` required` : ""}>`
        : html`<select id="${id(name)}" name="${name}">${schema.enum.map((value) => html`<option>${String(value)}</option>`)}</select>`
    }</p>`;
  const action = inputs
    .filter((row) => row.in === "path")
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  // A plain form cannot send JSON, and puts a field into the query but never into the path.
  const needsScript = isJson || inputs.some((row) => row.in === "path");
  return html`<details><summary>Try ${method.toUpperCase()} ${path}</summary>${needsScript ? html`<p class="needs-script">This form needs scripts. Without them, use the request above with <code>curl</code>.</p>` : ""}<form class="try" action="${action}" method="${method}" data-method="${method.toUpperCase()}" data-path="${path}"${
    body === undefined || isJson ? "" : html` data-type="form"`
  }${needsScript ? html` hidden` : ""} data-answer="The answer to ${method.toUpperCase()} ${path}">
${inputs.length === 0 ? "" : html`<div class="fields">${inputs.map(field)}</div>`}
${isJson ? html`<p><label for="${id("body")}">Body</label><textarea id="${id("body")}" name="body" rows="10">${JSON.stringify(body[1].example, null, 2)}</textarea></p>` : ""}
<p><button class="button">Send</button></p><output></output></form></details>`;
}
