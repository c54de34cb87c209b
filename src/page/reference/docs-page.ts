/** The page `/docs`: guides, every operation with samples and a form to try it, and the data dictionary. */
import { html } from "hono/html";
import type { Document } from "../../edition/document.ts";
import { type PageSource, renderPage } from "../part/page-frame.ts";
import { renderDictionary } from "./data-dictionary.ts";
import { type McpReference, renderGuides } from "./guides.ts";
import type { Description } from "./openapi-types.ts";
import { renderOperation } from "./operation-section.ts";

const GUIDES = [
  ["fresh", "Read it all, and only once"],
  ["words", "What the words mean"],
  ["feeds", "Feeds"],
  ["websub", "Be notified of changes (WebSub)"],
  ["mcp-guide", "AI agents (MCP)"],
] as const;

/** Renders `/docs` from the OpenAPI description, and the MCP tools with their samples. */
export function renderDocsPage(edition: PageSource, openapi: string, mcp: McpReference): Document {
  const description = JSON.parse(openapi) as Description;
  const { info, paths, components } = description;
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const content = html`<div class="stack" lang="en">
<h1>${info.title}: the interface</h1>
<p>${info.description} Version ${info.version}; the same for programs: <a href="/.well-known/openapi.json">OpenAPI 3.1</a>.</p>
<div class="list"><nav class="card toc" aria-label="On this page"><ul>${GUIDES.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}${entries.map(
    ({ path, method, operation }) =>
      html`<li><a href="#${operation.operationId}"><code>${method.toUpperCase()} ${path}</code></a></li>`,
  )}<li><a href="#dictionary">Data dictionary</a></li></ul></nav>
<div class="stack"><h2 id="guides">Guides</h2>
${renderGuides(edition.baseUrl, mcp, description)}
<h2 id="operations">Operations</h2>
${entries.map((entry) => renderOperation(description, edition.baseUrl, entry))}
<h2 id="dictionary">Data dictionary</h2>
<p>${Object.keys(components.schemas).length} schemas. Fields are always there unless they are marked optional.</p>
${renderDictionary(description)}</div></div></div>`;
  return renderPage(edition, {
    path: "/docs",
    title: `${info.title}: the interface`,
    description: info.description,
    content,
    entry: "docs",
    dataPaths: ["/.well-known/openapi.json"],
    scripts: ["/assets/docs.js"],
  });
}
