/**
 * The forms of a message: as JSON, and as Slack, Discord, Teams and ntfy take it by their own documentation. Words of
 * customers stand where the service shows them as they are; links are our own.
 */
import { createHmac } from "node:crypto";
import type { NoticeAddress } from "../business.ts";
import { type ComposedNotice, type NoticePart, unlinkedText } from "./notice-message.ts";

/** What is posted. */
export interface NoticeRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Format = NoticeAddress["format"];

const FORMATS: Readonly<Record<Exclude<Format, "ntfy">, (notice: ComposedNotice) => unknown>> = {
  json: ({ message }) => message,
  slack: slackMessage,
  discord: discordMessage,
  teams: teamsMessage,
};

/** The request that sends a message in a format, signed if there is a key. */
export function noticeRequest(format: Format, notice: ComposedNotice, key?: string): NoticeRequest {
  const { headers, body } =
    format === "ntfy"
      ? ntfyMessage(notice)
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(FORMATS[format](notice)) };
  const bytes = Buffer.from(body);
  if (key === undefined) return { headers, body: bytes };
  const signature = createHmac("sha256", key).update(bytes).digest("hex");
  return { headers: { ...headers, "X-Goodword-Signature": `sha256=${signature}` }, body: bytes };
}

/**
 * Slack's blocks: text of the type `plain_text` has no links, mentions or markup. In `mrkdwn` stand our own addresses
 * alone, and `text`, which notifications show, holds no words of customers.
 */
function slackMessage({ title, parts }: ComposedNotice) {
  const section = (text: object) => ({ type: "section", text });
  const blocks = parts.flatMap(({ words, url }) => [
    ...(words === "" ? [] : [section({ type: "plain_text", text: words, emoji: false })]),
    ...(url === undefined ? [] : [section({ type: "mrkdwn", text: `<${slackEscaped(url)}>` })]),
  ]);
  return { text: slackEscaped(title), blocks, unfurl_links: false, unfurl_media: false };
}

/** The three characters that Slack's markup is made of. */
function slackEscaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** In UTF-16 units, as Discord counts them. */
const MAX_DISCORD_CONTENT = 2_000;
const SUPPRESS_EMBEDS = 4;

/** Discord reads no markup in code blocks. Nothing is mentioned, and no link gets a preview. */
function discordMessage({ parts }: ComposedNotice) {
  let content = "";
  for (const { words, url } of parts) {
    const shown = words === "" ? "" : `\`\`\`\n${words.replace(/`(?=`)/g, "`\u200b")}\n\`\`\`\n`;
    const part = shown + (url === undefined ? "" : `<${url}>\n`);
    if (content.length + part.length <= MAX_DISCORD_CONTENT) content += part;
  }
  return { content, allowed_mentions: { parse: [] }, flags: SUPPRESS_EMBEDS };
}

/**
 * A card for a workflow of Teams. A `TextRun` has no markup; a `TextBlock` would have Markdown. Both show `{{DATE(…)}}` and
 * `{{TIME(…)}}` as the time in them, unless the braces are apart.
 */
function teamsMessage({ parts }: ComposedNotice) {
  const body = parts.flatMap(({ words, url }) => [
    ...words
      .replace(/\{(?=\{)/g, "{\u200b")
      .split("\n")
      .flatMap((text, line) => (text === "" ? [] : [teamsLine({ text }, line === 0)])),
    ...(url === undefined ? [] : [teamsLine({ text: url, selectAction: { type: "Action.OpenUrl", url } }, false)]),
  ]);
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.2",
    body,
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

function teamsLine(run: Readonly<Record<string, unknown>>, isFirst: boolean) {
  return { type: "RichTextBlock", spacing: isFirst ? "medium" : "none", inlines: [{ type: "TextRun", ...run }] };
}

/** ntfy makes a longer message an attachment. */
const MAX_NTFY_BYTES = 4_000;

/** ntfy shows the body as plain text, and makes links of the addresses in it. */
function ntfyMessage({ message, title, isUrgent, parts }: ComposedNotice) {
  const click = parts.find(({ url }: NoticePart) => url !== undefined)?.url ?? message.base_url;
  return {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      Title: encodedWord(title),
      Priority: isUrgent ? "high" : "default",
      Click: click,
    },
    body: new TextDecoder()
      .decode(Buffer.from(unlinkedText({ parts })).subarray(0, MAX_NTFY_BYTES))
      .replace(/\ufffd$/, ""),
  };
}

/** A header's value as ntfy reads it (RFC 2047), whatever it holds. */
function encodedWord(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes("=?")
    ? text
    : `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`;
}
