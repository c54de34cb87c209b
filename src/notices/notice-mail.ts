/** Sends a message by mail, as text and as simple HTML, over the operator's SMTP server. Nothing in it is fetched. */
import { html } from "hono/html";
import { errorCode, type OwnWords, ownWords } from "../lib/own-words.ts";
import { addressPieces, type ComposedNotice, type NoticePart, unlinkedText } from "./notice-message.ts";

export interface MailSettings {
  /** `smtp://` or `smtps://`, with the user's name and password where the server asks for them. */
  readonly smtpUrl: string;
  readonly from: string;
}

export interface MailOrder {
  readonly to: string;
  readonly notice: ComposedNotice;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Sends a mail. Returns why it was not accepted; undefined if it was. Every wait in it has a deadline. */
export async function sendMail(
  { smtpUrl, from }: MailSettings,
  { to, notice, timeoutMs, signal }: MailOrder,
): Promise<OwnWords | undefined> {
  const { createTransport } = await import("nodemailer"); // few send mails
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const isSecure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const transport = createTransport({
    host,
    port: Number(port) || (isSecure ? 465 : 587),
    secure: isSecure,
    // A password leaves this machine encrypted only.
    ...(isLoopback(host) ? { ignoreTLS: true } : { requireTLS: username !== "" }),
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...{ dnsTimeout: timeoutMs, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const { promise: late, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    transport.close();
    reject(new Error("No answer in time"));
  };
  deadline.addEventListener("abort", giveUp, { once: true });
  late.catch(() => {});
  try {
    await Promise.race([transport.sendMail(mailOf(notice, { to, from })), late]);
    return undefined;
  } catch (error) {
    return deadline.aborted ? ownWords`The mail server did not answer in time` : reasonOf(error);
  } finally {
    deadline.removeEventListener("abort", giveUp);
    transport.close();
  }
}

function mailOf(
  { message, title, parts }: ComposedNotice,
  { to, from }: { readonly to: string; readonly from: string },
) {
  const { hostname } = new URL(message.base_url);
  return {
    ...{ from, to: { name: "", address: to }, subject: title },
    messageId: `<${message.id}@${hostname}>`,
    list: { id: { comment: message.business, url: `goodword.${hostname}` } },
    headers: { "Auto-Submitted": "auto-generated" },
    text: `${unlinkedText({ parts })}\n`,
    html: String(html`<!doctype html><html><body>${parts.map(htmlPart)}</body></html>`),
  };
}

function htmlPart({ words, url }: NoticePart) {
  const lines = words.split("\n").map((line, at) => html`${at === 0 ? "" : html`<br>`}${unlinked(line)}`);
  const link = url === undefined ? "" : html`<br><a href="${url}">${url}</a>`;
  return html`<p>${lines}${link}</p>`;
}

/** Mail programs make links of words that look like addresses, unless these are in pieces. */
function unlinked(words: string) {
  return addressPieces(words).map((piece, at) => (at % 2 === 0 ? piece : html`<span>${piece}</span>`));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Why a mail was not accepted, by the code of the error and the server's three digits. */
function reasonOf(error: unknown): OwnWords {
  const { responseCode } = error as { readonly responseCode?: unknown };
  const code = errorCode(error) ?? ownWords`no code`;
  const answer = Number(responseCode);
  if (Number.isInteger(answer)) return ownWords`The mail server answered ${answer} (${code})`;
  return ownWords`The mail could not be sent (${code})`;
}
