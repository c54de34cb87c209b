/** The hub's answers: plain text for people, the status for programs (WebSub §5.2). */

const PLAIN = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };

/** What is wrong with a body that cannot be read as a form. */
export const FORM_FAULTS = {
  400: "The body is no text in UTF-8 that could be read to its end",
  413: "The body is larger than 16 KiB",
  415: "The body must be application/x-www-form-urlencoded",
};

/** 202: the request is stored. */
export function accepted(): Response {
  return new Response("Accepted: the callback will be asked to confirm\n", { status: 202, headers: PLAIN });
}

/** A refusal with its reason; `retryAfter` in seconds where asking again may help. */
export function refusal(status: number, reason: string, retryAfter?: number): Response {
  const headers: Record<string, string> = { ...PLAIN };
  if (retryAfter !== undefined) headers["Retry-After"] = String(retryAfter);
  if (status === 405) headers.Allow = "POST, OPTIONS";
  return new Response(`${reason}\n`, { status, headers });
}
