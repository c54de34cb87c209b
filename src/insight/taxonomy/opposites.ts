/** Words for opposite properties in each language that is read (`taxonomies/opposites.json`): big and small, hot and cold. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { READ_TAGS } from "../text/language-words.ts";

type Tag = (typeof READ_TAGS)[number];

const words = z.string().transform((list) => list.split(", "));
const sides = z.tuple([words, words]);
const propertiesSchema = z.array(
  z.strictObject(Object.fromEntries(READ_TAGS.map((tag) => [tag, sides])) as Record<Tag, typeof sides>),
);

/** By language, the words for a property and those for its opposite. */
export type Opposites = z.infer<typeof propertiesSchema>[number];

let all: readonly Opposites[] | undefined;

/** All opposites; read when the first question is asked. */
export function opposites(): readonly Opposites[] {
  const file = join(PROGRAM_FOLDER, "taxonomies", "opposites.json");
  all ??= propertiesSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return all;
}
