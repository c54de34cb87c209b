/** The guides in the reference: feeds, notifications (WebSub) and agents (MCP), with this server's addresses. */
import { html } from "hono/html";
import { ANSWER_TERMS } from "../../answer-terms.ts";
import { renderCode, withCode } from "../part/code-sample.ts";
import type { Markup } from "../text/markup.ts";
import { ENGLISH } from "../text/words-en.ts";
import type { Description } from "./openapi-types.ts";

/** An MCP tool as listed in the reference. */
export interface ToolReference {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  readonly sample?: MessageSample | undefined;
}

/** An MCP message with its headers, and the server's answer. */
export interface MessageSample {
  readonly title: string;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: object };
  readonly answer: string;
}

/** The part of the reference about the MCP server. */
export interface McpReference {
  readonly tools: readonly ToolReference[];
  readonly messages: readonly MessageSample[];
}

/** Renders the guides in the order of the table of contents. */
export function renderGuides(baseUrl: string, { tools, messages }: McpReference, description: Description): Markup {
  const code = (text: string, label: string) => renderCode(text, label, ENGLISH);
  return html`<section class="card operation" aria-labelledby="fresh"><h3 id="fresh">Read it all, and only once</h3>
<p>Every document has an <code>ETag</code> that depends on its bytes alone. Send it back in <code>If-None-Match</code>: the answer is <code>304 Not Modified</code>, without a body, until something really changes. Ask for <code>br</code>, <code>zstd</code> or <code>gzip</code> to save nine tenths of the bytes.</p>
${code(
  `curl --compressed --etag-compare reviews.tag --etag-save reviews.tag \\
  --output reviews.json '${baseUrl}/reviews.json'`,
  "Keeping a copy that is downloaded again only when it has changed",
)}
<p>To keep the single reviews, begin at <a href="#beginCopy"><code>/api/changes</code></a> and go on with the cursor of each answer: put in all of <code>changed</code>, delete the ids of <code>removed</code>, and ask again at once while <code>is_complete</code> is false. Edits, replies and removals come this way, which <code>/api/reviews/since/</code> does not show. 304 means that nothing is new, 410 that you must delete the copy and begin anew. Two programs do so each time they run: <a href="/assets/copy.ts">copy.ts</a> (<code>node copy.ts ${baseUrl}</code>, Node 22.18 or newer; to compile it with TypeScript for Node, call it <code>copy.mts</code>, install <code>@types/node</code> and give <code>tsc</code> the option <code>--types node</code>) and <a href="/assets/goodword_copy.py">goodword_copy.py</a> (<code>python3 goodword_copy.py ${baseUrl}</code>). The rating of the business is <code>aggregate_rating</code> of <a href="/reviews.json">/reviews.json</a>; what is said of it as a whole, and its figures by month, are in <a href="/insights.json">/insights.json</a>; a year’s average is that of its months, each as often as its <code>review_count</code>, but up to 0.01 off, since theirs are rounded: the tool <code>get_trends</code> of MCP with <code>by</code> <code>year</code> gives it exactly.</p>
<p>To be told of poor reviews that nobody has answered, ask for them now and then and remember the ids that you have seen. Where <code>matched</code> is more than 100, ask again with <code>&amp;offset=100</code>, 200 and so on, until you have that many:</p>
${code(`curl '${baseUrl}/api/reviews/search?max_rating=2&has_reply=false&limit=100'`, "Poor reviews without an answer")}
<p>The page of each review, for people, is <code>${baseUrl}/reviews/{id}</code> with its <code>id</code>: link it where you show one.</p></section>
<section class="card operation" aria-labelledby="words"><h3 id="words">What the words mean</h3>
<dl class="tools">${ANSWER_TERMS.map(([term, meaning]) => html`<dt>${term}</dt><dd>${withCode(meaning)}</dd>`)}</dl></section>
<section class="card operation" aria-labelledby="feeds"><h3 id="feeds">Feeds</h3>
<p>The 50 newest reviews, as <a href="/feed.xml">Atom</a> and as <a href="/api/feed.json">JSON Feed</a>. Paste either address, or that of the overview, into a feed reader. Each item links the page of its review; stars, source and the owner’s reply are in <code>_goodword</code> (JSON) and in elements of the namespace <code>urn:goodword:review</code> (Atom).</p></section>
<section class="card operation" aria-labelledby="websub"><h3 id="websub">Be notified of changes (WebSub)</h3>
<ol><li>Have an https address that answers GET with the value of <code>hub.challenge</code> as <code>text/plain</code>, and takes POST. Check <code>hub.topic</code> and <code>hub.mode</code> first, and answer 404 to what you have not asked for: anyone can have the hub ask you. The hub trusts public certificate authorities; where it cannot confirm the callback, nothing comes. A callback at <code>localhost</code> is refused unless the operator allows it (<code>HUB_ALLOW_CALLBACKS=127.0.0.0/8,::1/128</code>, and <code>NODE_EXTRA_CA_CERTS</code> for its certificate): to try it from a laptop, a tunnel such as <code>cloudflared tunnel --url http://localhost:8000</code> gives it a public address. Against a server of your own there, make a certificate (<code>openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem</code>), start the server with <code>NODE_EXTRA_CA_CERTS=cert.pem</code>, and give both files to <code>createServer</code> of <code>node:https</code> as <code>key</code> and <code>cert</code>.</li>
<li>Subscribe it to <code>${baseUrl}/feed.xml</code>, <code>${baseUrl}/api/feed.json</code> or <code>${baseUrl}/reviews.json</code>. The hub answers 202 and then asks your address to confirm.</li>
<li>Each change of the topic arrives as a POST with its new content: feeds change with the newest 50 reviews, <code>/reviews.json</code> with any, also with an old one that is edited or removed. Answer 2xx within ten seconds. Otherwise the hub tries again after one minute and after ten, or after <code>Retry-After</code> if that is longer, up to an hour. Three failures in a row end the subscription; an answer 410 ends it at once.</li>
<li>A subscription lasts for its lease: 864000 seconds (10 days) unless <code>hub.lease_seconds</code> asks for another, from 60 to 2592000 (30 days). The verification says what was granted. Subscribe again before it ends. The operator can change these times.</li>
<li>With <code>hub.secret</code>, check <code>X-Hub-Signature: sha256=…</code>: the HMAC of the body. <a href="/assets/receiver.mjs">receiver.mjs</a> does both (<code>SECRET=YOUR-SECRET TOPIC=${baseUrl}/feed.xml node receiver.mjs</code>, behind what terminates TLS), and says on its error output why it drops a notification.</li></ol>
${code(
  `curl '${baseUrl}/api/websub/hub' \\
  --data-urlencode 'hub.mode=subscribe' \\
  --data-urlencode 'hub.topic=${baseUrl}/feed.xml' \\
  --data-urlencode 'hub.callback=https://subscriber.example/changed' \\
  --data-urlencode 'hub.secret=YOUR-SECRET'`,
  "Subscribing with curl",
)}
${renderCalls(description)}</section>
<section class="card operation" aria-labelledby="mcp-guide"><h3 id="mcp-guide">AI agents (MCP)</h3>
<p>Connect an assistant to <code>${baseUrl}/mcp</code>. It needs no key; where a token is asked for, leave it blank. The tools only read. Directories of agents read <a href="/mcp/server-card">/mcp/server-card</a> and <a href="/.well-known/ai-catalog.json">/.well-known/ai-catalog.json</a>.</p>
${code(`claude mcp add --transport http reviews ${baseUrl}/mcp`, "Connecting Claude Code")}
${code(`{ "mcpServers": { "reviews": { "url": "${baseUrl}/mcp" } } }`, "Connecting Cursor: .cursor/mcp.json")}
<h4>Tools</h4>
<dl class="tools">${tools.map(
    ({ name, title, description, parameters }) =>
      html`<dt><code>${name}</code> <span class="soft">${title}</span></dt><dd>${withCode(description)}${
        parameters.length === 0
          ? html` <span class="soft">No arguments.</span>`
          : html`<details><summary>Arguments of <code>${name}</code></summary><ul class="plain">${parameters.map((one) => html`<li><code>${one.name}</code> ${withCode(one.description)}</li>`)}</ul></details>`
      }</dd>`,
  )}</dl>
<h4>Messages</h4>
<p>Each request is a POST of one JSON-RPC message with <code>Content-Type: application/json</code> and <code>Accept: application/json, text/event-stream</code>. There are two protocols. Up to revision 2025-11-25, <code>initialize</code> opens a session, and every later message carries <code>Mcp-Session-Id</code>. From 2026-07-28 on there is no session: each message names the revision in <code>_meta</code>, and headers repeat the revision, the method and the name. The requests below are for this site; the answers are about an invented business with one review.</p>
${messages.map(renderMessage)}
<h4>An answer of each tool</h4>
<p>With the protocol without sessions; in a session, <code>resultType</code> and <code>_meta</code> are absent. Arguments that a tool cannot use are no error of the protocol: <code>isError</code> is true, and the text says what is allowed.</p>
${tools.map(({ sample }) => (sample === undefined ? "" : renderMessage(sample)))}
<h4>Errors</h4>
<div class="scroll" tabindex="0" role="region" aria-label="Errors of the MCP server"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${MCP_ERRORS.map(
    ([code, status, meaning]) =>
      html`<tr><th scope="row"><code>${code}</code></th><td>${withCode(status)}</td><td>${withCode(meaning)}</td></tr>`,
  )}</tbody></table></div></section>`;
}

/** The error codes of the MCP server, with the HTTP status. */
const MCP_ERRORS: readonly (readonly [number, string, string])[] = [
  [-32700, "400", "The body is not JSON in UTF-8"],
  [-32600, "400", "The body is no JSON-RPC message, or a batch"],
  [-32601, "200, without sessions 404", "There is no such method"],
  [-32602, "200; 400 if `_meta` lacks a member", "The parameters are invalid; the message says which and why"],
  [
    -32000,
    "400, 403, 406, 413, 415, 503",
    "Refused before the method was read: no session, a revision, Host or header that is not taken, too large, or still starting",
  ],
  [-32001, "404", "The session is unknown or has ended: send `initialize` again"],
  [-32002, "200", "There is no such resource (in a session; without sessions it is -32602)"],
  [-32020, "400", "`MCP-Protocol-Version`, `Mcp-Method` or `Mcp-Name` is missing or differs from the body"],
  [-32022, "400", "The revision in `_meta` is not supported; `data.supported` lists those that are"],
];

function renderMessage({ title, request, answer }: MessageSample): Markup {
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`);
  const sent = `POST /mcp\n${head.join("")}\n${JSON.stringify(request.body, null, 2)}`;
  return html`<details><summary>${title}</summary>${renderCode(sent, `Request: ${title}`, ENGLISH)}${renderCode(answer, `Answer: ${title}`, ENGLISH)}</details>`;
}

/** The hub's requests to a callback: the verification, and a notification. */
function renderCalls({ webhooks }: Description): Markup {
  const { get: verify } = webhooks.verification ?? {};
  const { post: notify } = webhooks.notification ?? {};
  if (verify === undefined || notify === undefined) return html``;
  const query = new URLSearchParams(verify.parameters?.map(({ name, example }) => [name, String(example)]));
  const headers = notify.parameters?.map(({ name, example }) => `${name}: ${String(example)}\n`) ?? [];
  const [[type, media] = []] = Object.entries(notify.requestBody?.content ?? {});
  const challenge = verify.responses["200"]?.content?.["text/plain"]?.example;
  const host = "Host: subscriber.example";
  return html`${renderCode(`GET /changed?${query} HTTP/1.1\n${host}`, "The hub asks the callback to confirm", ENGLISH)}
${renderCode(`HTTP/1.1 200 OK\nContent-Type: text/plain\n\n${String(challenge)}`, "Your answer: the challenge and nothing else", ENGLISH)}
<details><summary>A notification</summary>${renderCode(`POST /changed HTTP/1.1\n${host}\nContent-Type: ${type}\n${headers.join("")}\n${String(media?.example)}`, "A notification of the hub", ENGLISH)}<p>As <code>https://reviews.example</code> would send it. The signature is of these bytes, with the line break at their end, and of the secret <code>known-to-you-and-the-hub</code>.</p></details>`;
}
