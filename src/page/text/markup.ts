/** Markup made by the escaping template: what the parts of a page are put together from. */
import type { html } from "hono/html";

export type Markup = ReturnType<typeof html> | "";
