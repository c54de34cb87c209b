/** The page `/docs`: the OpenAPI description as a page for people, with a command to try each address. No script. */
import { html } from "hono/html";
import type { Document } from "../edition/document.ts";
import type { Edition } from "../edition/edition.ts";
import { renderPage } from "./part/page-frame.ts";

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

interface Description {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> };
}

/** Requests worth copying, by address; the others are asked as they stand. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "/api/reviews/search": "/api/reviews/search?min_rating=4&query=repair&limit=3",
  "/api/reviews/since/{date}": "/api/reviews/since/2026-01-01",
};

/** The document of `/docs`, from the bytes of the description that programs read. */
export function renderDocsPage(printing: Edition): Document {
  const source = printing.document("/.well-known/openapi.json");
  const description = JSON.parse(Buffer.from(source?.body ?? "{}").toString()) as Description;
  const { info, paths } = description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      renderOperation(printing.baseUrl, { path, method, operation, description }),
    ),
  );
  const content = html`<p><a href="${printing.baseUrl}/">${printing.business.name}</a></p>
<h1>${info.title}: the interface</h1>
<p class="soft">Version ${info.version}. ${info.description} The same for programs: <a href="${printing.baseUrl}/.well-known/openapi.json">OpenAPI 3.1</a>.</p>
${operations}`;
  return renderPage(printing, {
    path: "/docs",
    title: info.title,
    description: info.description,
    content,
    entry: "docs",
  });
}

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly description: Description;
}

function renderOperation(baseUrl: string, { path, method, operation, description }: Entry) {
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== undefined);
  const fields = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => formFields(schema));
  const rows = [...parameters, ...fields];
  const address = EXAMPLES[path] ?? path;
  return html`<section>
<h2><code>${method.toUpperCase()} ${path}</code></h2>
<p>${operation.summary}</p>
${method === "get" ? html`<pre tabindex="0" role="region" aria-label="${method} ${path}"><code>curl '${baseUrl}${address}'</code></pre>` : ""}
${rows.length === 0 ? "" : html`<table><thead><tr><th>name</th><th>where</th><th>what</th></tr></thead><tbody>${rows.map(renderParameter)}</tbody></table>`}
<dl>${Object.entries(operation.responses).map(([status, response]) => {
    const shared = description.components.responses[response.$ref?.split("/").at(-1) ?? ""];
    return html`<dt>${status}</dt><dd>${response.description ?? shared?.description ?? ""}</dd>`;
  })}</dl>
</section>`;
}

function formFields({ properties = {}, required = [] }: Schema): Parameter[] {
  return Object.entries(properties)
    .filter(([name]) => name.startsWith("hub."))
    .map(([name, schema]) => ({
      name,
      in: "form",
      required: required.includes(name),
      schema,
      description: String(schema.description ?? ""),
    }));
}

function renderParameter({ name = "", in: place = "", required = false, description = "", schema = {} }: Parameter) {
  const { minimum, maximum, default: fallback } = schema;
  const range =
    minimum === undefined && maximum === undefined ? "" : ` ${String(minimum ?? "")} to ${String(maximum ?? "")}.`;
  const usual = fallback === undefined ? "" : ` Default ${String(fallback)}.`;
  return html`<tr><td><code>${name}</code></td><td>${place}${required ? ", needed" : ""}</td><td>${description}.${range}${usual}</td></tr>`;
}
