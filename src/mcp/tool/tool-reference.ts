/** The tools as listed in the reference for developers. */
import type { Edition } from "../../edition/edition.ts";
import type { ToolReference } from "../../page/reference/guides.ts";
import { TOOLS } from "./tools.ts";

/** Returns the name, purpose and arguments of every tool. */
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
