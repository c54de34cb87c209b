/**
 * Pages that answer forms, each kept until the browser fetches it at an address that counts once. A window that shows the
 * answer itself comes by no detour, and going back to it sends the form again, with its token.
 */
import { randomBytes } from "node:crypto";
import { DESK_HEADERS } from "./desk-frame.ts";

/** The parameter of an address at which an answer is kept. */
export const ANSWER = "answer";
const MAX_KEPT = 32;
/** A browser follows a redirect at once. */
const KEPT_MS = 60_000;

/** The page at which the form was sent, and the token of its session. */
interface Sender {
  readonly path: string;
  readonly token: string;
}

export interface FormAnswers {
  /** Keeps a page, and answers with its address. What is no page, or leads elsewhere, stays as it is. */
  keep(page: Response, sender: Sender): Response;
  /** The page that is kept at this address for the session; once. */
  take(query: URLSearchParams, sender: Sender): Response | undefined;
}

export function openFormAnswers(now = Date.now): FormAnswers {
  const kept = new Map<string, Sender & { readonly page: Response; readonly since: number }>();
  return {
    keep(page, sender) {
      if (!page.headers.get("Content-Type")?.startsWith("text/html") || page.headers.has("Location")) return page;
      for (const [id, { since }] of kept) if (now() - since > KEPT_MS) kept.delete(id);
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      const id = randomBytes(16).toString("base64url");
      kept.set(id, { ...sender, page, since: now() });
      return new Response(null, {
        status: 303,
        headers: { ...DESK_HEADERS, Location: `${sender.path}?${ANSWER}=${id}` },
      });
    },
    take(query, { path, token }) {
      const id = query.get(ANSWER) ?? "";
      const found = kept.get(id);
      if (found === undefined || found.path !== path || found.token !== token) return undefined;
      kept.delete(id);
      return now() - found.since > KEPT_MS ? undefined : found.page;
    },
  };
}
