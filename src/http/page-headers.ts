/** Headers of pages: the Content Security Policy, and what other sites may load. */
import { EMBED_PATHS } from "../interface.ts";

/**
 * The Content Security Policy: nothing is loaded from another origin, and only the page for frames may be framed.
 */
export function pageHeaders(path: string): Readonly<Record<string, string>> {
  const isFrame = path === EMBED_PATHS.frame;
  const scripts = isFrame ? "'none'" : "'self'";
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src ${scripts}`,
    "img-src 'self'",
    `connect-src ${scripts}`,
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isFrame ? "*" : "'none'"}`,
  ];
  return { "Content-Security-Policy": policy.join("; "), "Referrer-Policy": "strict-origin-when-cross-origin" };
}

/** Content for other sites may be loaded there, even by pages that are cross-origin isolated (Fetch, CORP). */
export const EMBED_HEADERS = { "Cross-Origin-Resource-Policy": "cross-origin" } as const;
