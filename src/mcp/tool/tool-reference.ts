/** The tools as the reference for people lists them. */
import type { Edition } from "../../edition/edition.ts";
import type { ToolReference } from "../../page/reference/guides.ts";
import { TOOLS } from "./tools.ts";

/** Name, purpose and arguments of every tool. */
export function toolReference(edition: Edition): ToolReference[] {
  return TOOLS.map(({ name, title, describe, input }) => ({
    name,
    title,
    description: describe(edition),
    parameters: Object.entries(input.shape).map(([parameter, schema]) => ({
      name: parameter,
      description: schema.description ?? "",
    })),
  }));
}
