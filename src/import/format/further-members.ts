/**
 * What stands beside a service's own members: what is called as a part of a review is not read, and the report names it;
 * what says that a reply is not shown is respected, as in any other file.
 */
import { quote } from "../../issue.ts";
import { isObject, type JsonObject } from "../../lib/json-object.ts";
import type { FieldNames, RawReview } from "../review/candidate.ts";
import { isStateValue, stateKind, stateOf } from "../review/publication-state.ts";
import { type OwnField, SPELLINGS } from "../words/column-words.ts";
import { fieldSpelling, OF_REPLY, spellingOf } from "./column-names.ts";
import type { FurtherMembers } from "./renamed-members.ts";
import { memberAt } from "./vendor-shape.ts";

/** What a reader would miss. */
const FIELDS: readonly OwnField[] = ["rating", "title", "text", "reply"];
const CALLED = new Set(
  FIELDS.flatMap((field) => {
    const { own, plain, general } = SPELLINGS[field];
    return [...own, ...plain, ...(field === "title" ? general : [])];
  }),
);
/** More of them are not named. */
const MAX_NAMED = 10;

interface KnownMembers {
  readonly names: FieldNames;
  readonly further?: FurtherMembers | undefined;
  /** Members of the service that are called as a part of a review and are none, such as its place's name. */
  readonly ignored?: readonly string[] | undefined;
}

export interface FurtherMembersOfRecords {
  /** Looks at a record, and takes from its review a reply that is not shown. */
  look(record: JsonObject, review: RawReview): RawReview;
  /** A sentence for each kind of what was left out. */
  told(): string[];
}

/** Looks for what records hold besides what their format reads. */
export function openFurtherMembers({ names, further = {}, ignored = [] }: KnownMembers): FurtherMembersOfRecords {
  const paths = [...Object.values(names), ...Object.values(further).flat()];
  const known = new Set([...paths.map((path) => path.replace(/[.[].*/, "")), ...ignored]);
  const reply = names.reply_text ?? "";
  const holder = reply.slice(0, Math.max(reply.lastIndexOf("."), 0));
  const unread = new Set<string>();
  const hiding = new Map<string, number>();

  /** The member that says that the reply is not shown. */
  function hidesReply(record: JsonObject): string | undefined {
    const inside = holder === "" ? undefined : memberAt(record, holder);
    const members = [
      ...Object.entries(isObject(inside) ? inside : {}).map(([name, value]) => [`${holder}.${name}`, name, value]),
      ...Object.entries(record).map(([name, value]) => [name, OF_REPLY.exec(spellingOf(name))?.[1] ?? "", value]),
    ] as const;
    for (const [path, called, value] of members) {
      const kind = isStateValue(value) ? stateKind(spellingOf(String(called))) : undefined;
      if (kind !== undefined && stateOf(value, kind) === "hidden") return String(path);
    }
    return undefined;
  }

  return {
    look(record, review) {
      for (const [name, value] of Object.entries(record))
        if (!known.has(name) && isFilled(value) && CALLED.has(fieldSpelling(name))) unread.add(name);
      const by = review.owner_reply ? hidesReply(record) : undefined;
      if (by === undefined) return review;
      hiding.set(by, (hiding.get(by) ?? 0) + 1);
      return { ...review, owner_reply: null };
    },
    told() {
      const listed = [...unread].slice(0, MAX_NAMED).map((name) => quote(name));
      const more = unread.size > MAX_NAMED ? ", …" : "";
      return [
        ...(unread.size > 0 ? [`does not use the members ${listed.join(", ")}${more}`] : []),
        ...[...hiding].map(
          ([by, count]) =>
            `${count === 1 ? "1 reply is" : `${count} replies are`} left out, because ${quote(by)} says that it is not public`,
        ),
      ];
    },
  };
}

function isFilled(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value.trim() !== "" && !/^https?:/.test(value));
}
