/**
 * What people ask about and the words they ask with, in each language that is read (`taxonomies/asked-as.json`): "Is it
 * expensive?" is about the price, whatever words the question and the answer of the FAQ have.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { PROGRAM_FOLDER } from "../../program-folder.ts";
import { READ_TAGS } from "../text/language-words.ts";

const phrases = z.string().transform((list) => list.split(", "));
const subjectsSchema = z.array(
  z
    .strictObject({
      aspects: z.array(z.string()).describe("Ids of aspects, of any taxonomy, that are this subject"),
      ...(Object.fromEntries(READ_TAGS.map((tag) => [tag, phrases])) as Record<
        (typeof READ_TAGS)[number],
        typeof phrases
      >),
    })
    .transform(({ aspects, ...words }) => ({ aspects, words })),
);

/** A subject. One without an aspect is a topic of many businesses, or what is asked of none of them. */
export type AskedSubject = z.infer<typeof subjectsSchema>[number];

let subjects: readonly AskedSubject[] | undefined;

/** All subjects; read when the first question is asked. */
export function askedSubjects(): readonly AskedSubject[] {
  const file = join(PROGRAM_FOLDER, "taxonomies", "asked-as.json");
  subjects ??= subjectsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return subjects;
}
