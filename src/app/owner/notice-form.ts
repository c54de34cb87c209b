/** The entries of `notices` in business.yaml as the fields of forms, and back: comments and everything else stay as they are. */
import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, type Node, type YAMLMap } from "yaml";
import { NOTICE_SUBJECTS } from "../../business.ts";
import { readBusinessDocument } from "../../import/business-file.ts";
import { replaceItems } from "./business-form.ts";

/** The fields of an entry; an empty `digest`, `format` or `secret_env` is absent. `to` is asked for in a new entry alone. */
export interface NoticeFields {
  readonly to?: string;
  readonly when: readonly string[];
  readonly digest: string;
  readonly format: string;
  readonly secret_env: string;
}

/** The text with one entry changed, or with one more if `at` is undefined. What is wrong is found when the text is read. */
export function withNotice(text: string, at: number | undefined, fields: NoticeFields): string {
  const { to = "", when, digest, format, secret_env } = fields;
  return withEntries(text, (entries, createNode) => {
    const entry = entries[at ?? entries.length] ?? createNode({ to });
    if (!isMap(entry)) return entries;
    const isAll = NOTICE_SUBJECTS.every((subject) => when.includes(subject));
    const { when: before = NOTICE_SUBJECTS } = entry.toJSON() as { readonly when?: readonly string[] };
    if (isAll) entry.delete("when");
    else if (!isDeepStrictEqual(before, when)) entry.set("when", createNode(when));
    for (const [name, value] of Object.entries({ digest, format, secret_env }))
      if (value === "" || (name === "format" && value === "json")) entry.delete(name);
      else if (entry.get(name) !== value) entry.set(name, value);
    return entries.includes(entry) ? entries : [...entries, entry];
  });
}

/** The text without one entry. */
export function withoutNotice(text: string, at: number): string {
  return withEntries(text, (entries) => entries.filter((_, index) => index !== at));
}

function withEntries(
  text: string,
  change: (entries: readonly Node[], createNode: (value: unknown) => YAMLMap) => readonly Node[],
): string {
  const { document } = readBusinessDocument("business.yaml", text);
  const list: unknown = document.get("notices");
  const entries = isSeq(list) ? (list.items as Node[]) : [];
  replaceItems(
    document,
    "notices",
    change(entries, (value) => document.createNode(value, { flow: true }) as YAMLMap),
  );
  return document.toString({ lineWidth: 0 });
}
