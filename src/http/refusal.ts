/** Errors as JSON (interface §2). */
import { COMMON_HEADERS } from "../interface.ts";
import type { Issue } from "../issue.ts";

/** An error as JSON. `issues` names the faults of the input. */
export function refuse(
  status: number,
  error: string,
  { issues, headers }: { readonly issues?: readonly Issue[]; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const body = issues === undefined ? { error } : { error, issues };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...COMMON_HEADERS, "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}

/** Refuses a costly request that would wait too long. */
export function refuseBusy(): Response {
  return refuse(503, "The server is overloaded: try again in 2 seconds", { headers: { "Retry-After": "2" } });
}
