/** The guides in the reference: feeds, notifications (WebSub) and agents (MCP), with this server's addresses. */
import { html } from "hono/html";
import { renderCode, withCode } from "../part/code-sample.ts";
import type { Markup } from "../text/markup.ts";
import { ENGLISH } from "../text/words-en.ts";

/** An MCP tool as listed in the reference. */
export interface ToolReference {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
}

/** Renders the guides in the order of the table of contents. */
export function renderGuides(baseUrl: string, tools: readonly ToolReference[]): Markup {
  const code = (text: string, label: string) => renderCode(text, label, ENGLISH);
  return html`<section class="card operation" aria-labelledby="fresh"><h3 id="fresh">Read it all, and only once</h3>
<p>Every document has an <code>ETag</code> that depends on its bytes alone. Send it back in <code>If-None-Match</code>: the answer is <code>304 Not Modified</code>, without a body, until something really changes. Ask for <code>br</code>, <code>zstd</code> or <code>gzip</code> to save nine tenths of the bytes.</p>
${code(
  `curl --compressed --etag-compare reviews.tag --etag-save reviews.tag \\
  --output reviews.json '${baseUrl}/reviews.json'`,
  "Keeping a copy that is downloaded again only when it has changed",
)}</section>
<section class="card operation" aria-labelledby="feeds"><h3 id="feeds">Feeds</h3>
<p>The 50 newest reviews, as <a href="/feed.xml">Atom</a> and as <a href="/api/feed.json">JSON Feed</a>. Paste either address, or that of the overview, into a feed reader. Each item links the page of its review; stars, source and the owner’s reply are in <code>_goodword</code> (JSON) and in elements of the namespace <code>urn:goodword:review</code> (Atom).</p></section>
<section class="card operation" aria-labelledby="websub"><h3 id="websub">Be notified of changes (WebSub)</h3>
<ol><li>Have an https address that answers GET with the value of <code>hub.challenge</code>, and takes POST.</li>
<li>Subscribe it to <code>${baseUrl}/feed.xml</code>, <code>${baseUrl}/api/feed.json</code> or <code>${baseUrl}/reviews.json</code>. The hub answers 202 and then asks your address to confirm.</li>
<li>Each change arrives as a POST with the topic’s new content. Answer 2xx. Three failures in a row end the subscription; so does its lease, unless you subscribe again.</li>
<li>With <code>hub.secret</code>, check <code>X-Hub-Signature: sha256=…</code>: the HMAC of the body.</li></ol>
${code(
  `curl '${baseUrl}/api/websub/hub' \\
  --data-urlencode 'hub.mode=subscribe' \\
  --data-urlencode 'hub.topic=${baseUrl}/feed.xml' \\
  --data-urlencode 'hub.callback=https://subscriber.example/changed'`,
  "Subscribing with curl",
)}</section>
<section class="card operation" aria-labelledby="mcp-guide"><h3 id="mcp-guide">AI agents (MCP)</h3>
<p>Connect an assistant to <code>${baseUrl}/mcp</code>. It needs no key; where a token is asked for, leave it blank. The tools only read. Directories of agents read <a href="/mcp/server-card">/mcp/server-card</a> and <a href="/.well-known/ai-catalog.json">/.well-known/ai-catalog.json</a>.</p>
${code(`claude mcp add --transport http reviews ${baseUrl}/mcp`, "Connecting Claude Code")}
${code(`{ "mcpServers": { "reviews": { "url": "${baseUrl}/mcp" } } }`, "Connecting Cursor: .cursor/mcp.json")}
<div class="scroll" tabindex="0" role="region" aria-label="Tools of the MCP server"><table><thead><tr><th scope="col">Tool</th><th scope="col">Answers</th><th scope="col">Arguments</th></tr></thead><tbody>${tools.map(
    ({ name, title, description, parameters }) =>
      html`<tr><th scope="row"><code>${name}</code><br><span class="soft">${title}</span></th><td>${withCode(description)}</td><td>${
        parameters.length === 0
          ? html`<span class="soft">none</span>`
          : parameters.map((one) => html`<p><code>${one.name}</code> ${withCode(one.description)}</p>`)
      }</td></tr>`,
  )}</tbody></table></div></section>`;
}
