/** Markup made by the escaping template; pages are composed from it. */
import type { html } from "hono/html";

export type Markup = ReturnType<typeof html> | "";
