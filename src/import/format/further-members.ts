/**
 * What stands beside a service's own members: what is called as a part of a review is not read, and the report names it;
 * so it does whatever the service does not write, which somebody has added, and what that leaves in doubt. What says that a
 * reply is not shown is respected, as in any other file.
 */
import { quote } from "../../issue.ts";
import { isObject, type JsonObject } from "../../lib/json-object.ts";
import { rememberedByName } from "../../lib/remembered.ts";
import { tellsPlace } from "../place/told-place.ts";
import type { FieldName, FieldNames, RawReview } from "../review/candidate.ts";
import { isStateValue, stateKind, stateOf } from "../review/publication-state.ts";
import type { ReadFrom } from "../review/read-from.ts";
import type { OwnField } from "../words/column-words.ts";
import { isCalled, OF_REPLY, spellingOf } from "./column-names.ts";
import { memberDoubts } from "./member-doubts.ts";
import { type FurtherMembers, parentOf } from "./renamed-members.ts";
import { memberAt } from "./vendor-shape.ts";

/** What a reader would miss. */
const FIELDS: readonly OwnField[] = ["rating", "title", "text", "reply"];
/** Columns of words that only some of a service's lists have. */
const OF_WORDS = /^review_\w+_(?:answer|comment|text)$/;
const OBJECTS: readonly (readonly [FieldName, OwnField, (review: RawReview) => unknown])[] = [
  ["author", "author", ({ author }) => author],
  ["text", "text", ({ text }) => text],
  ["reply_text", "reply", ({ owner_reply }) => owner_reply?.text],
];
/** More of them are not named. */
const MAX_NAMED = 10;
/** Of more members, and more and longer values of them, nothing is kept. */
const [MAX_ADDED, MAX_EXAMPLES, MAX_EXAMPLE] = [100, 20, 60];
/** By what a service searched for a place. */
const OF_SEARCH = /^(?:query|search_?(?:query|string|term)|keyword|full_address|city|title)$/i;

/** A member that somebody has added to a service's own: how often it is filled, and some values. */
interface AddedMember {
  filled: number;
  links: number;
  dates: number;
  readonly examples: Set<string>;
}

/** What a member's name says. */
interface NamedMember {
  /** It is called as a part of a review that the format does not read. */
  readonly isUnread: boolean;
  /** The service does not write it. */
  readonly isAdded: boolean;
  /** It is what the service searched for. */
  readonly isOfSearch: boolean;
  /** It is called as the customer's name: missed where the review has none. */
  readonly isAuthor: boolean;
  /** What it says of a reply, as a column is called. */
  readonly ofReply: string;
}

interface KnownMembers {
  readonly names: FieldNames;
  readonly further?: FurtherMembers | undefined;
  /** Members of the service that are called as a part of a review and are none, such as its place's name. */
  readonly ignored?: readonly string[] | undefined;
  /** What the service writes besides, by their names; absent where that is not known. */
  readonly vendor?: RegExp | undefined;
}

export interface FurtherMembersOfRecords {
  /** Looks at a record, and takes from its review a reply that is not shown. `isPlaced`: the file tells its place. */
  look(record: JsonObject, review: RawReview, isPlaced?: boolean): RawReview;
  /** A sentence for each kind of what was left out. `readFrom`: from where fields were read after all. */
  told(readFrom: ReadFrom): string[];
}

/** Looks for what records hold besides what their format reads. */
export function openFurtherMembers({
  names,
  further = {},
  ignored = [],
  vendor,
}: KnownMembers): FurtherMembersOfRecords {
  const paths = [...Object.values(names), ...Object.values(further).flat()];
  const known = new Set([...paths.map((path) => path.replace(/[.[].*/, "")), ...ignored]);
  const reply = names.reply_text ?? "";
  const holder = reply.slice(0, Math.max(reply.lastIndexOf("."), 0));
  const unread = new Set<string>();
  const hiding = new Map<string, number>();
  /** Some values of members that the service does not write, or by which it searched where no place is told. */
  const added = new Map<string, AddedMember>();

  const named = rememberedByName(
    (name): NamedMember => ({
      isUnread: !known.has(name) && (OF_WORDS.test(name) || FIELDS.some((field) => isCalled(name, field))),
      isAdded: !known.has(name) && vendor !== undefined && !vendor.test(name) && !tellsPlace(name),
      isOfSearch: !known.has(name) && vendor !== undefined && OF_SEARCH.test(name),
      isAuthor: !known.has(name) && isCalled(name, "author"),
      ofReply: OF_REPLY.exec(spellingOf(name))?.[1] ?? "",
    }),
  );

  /** The member that says that the reply is not shown. */
  function hidesReply(record: JsonObject): string | undefined {
    const inside = holder === "" ? undefined : memberAt(record, holder);
    for (const [name, value] of isObject(inside) ? Object.entries(inside) : [])
      if (isHidden(name, value)) return `${holder}.${name}`;
    for (const [name, value] of Object.entries(record)) if (isHidden(named(name).ofReply, value)) return name;
    return undefined;
  }

  /** The service's own objects, the field that each holds, and what a review has of it. */
  const objects = OBJECTS.flatMap(([name, field, value]) => {
    const object = parentOf(names[name] ?? "");
    return object === "" ? [] : [[object, field, value] as const];
  });

  /** Names what an object has in the place of the service's member. */
  function noteInside(record: JsonObject, object: string, field: OwnField): void {
    const inside = memberAt(record, object);
    for (const [name, value] of isObject(inside) ? Object.entries(inside) : []) {
      const isKnown = paths.includes(`${object}.${name}`);
      const isOf = isCalled(name, field) || (field === "reply" && isCalled(name, "text"));
      if (!isKnown && isOf && isFilled(value)) unread.add(`${object}.${name}`);
    }
  }

  /** Keeps some values of a member that somebody has added. */
  function noteAdded(name: string, value: unknown): void {
    if (added.size >= MAX_ADDED && !added.has(name)) return;
    const member = added.getOrInsertComputed(name, () => ({ filled: 0, links: 0, dates: 0, examples: new Set() }));
    member.filled += 1;
    const text = String(value).trim().slice(0, MAX_EXAMPLE);
    if (/^https?:/.test(text)) member.links += 1;
    if (/^\d{4}-\d\d-\d\d/.test(text)) member.dates += 1;
    if (member.examples.size < MAX_EXAMPLES) member.examples.add(text);
  }

  /** What these members may say, and nobody reads. */
  function doubts(read: ReadonlySet<string>): string[] {
    const unknown = [...added.keys()].filter((name) => !read.has(name));
    return [
      ...memberDoubts({ unknown, spelled: new Map(unknown.map((name) => [name, spellingOf(name)])), profiles: added }),
    ];
  }

  return {
    look(record, review, isPlaced = true) {
      for (const [name, value] of Object.entries(record)) {
        const called = named(name);
        const { isAdded, isOfSearch } = called;
        if (
          unread.size <= MAX_NAMED &&
          (isAdded ? isValue(value) || isFilled(value) : isMissed(called, review) && isFilled(value))
        )
          unread.add(name);
        if ((isAdded || (isOfSearch && !isPlaced)) && isValue(value)) noteAdded(name, value);
      }
      for (const [object, field, value] of objects)
        if (unread.size <= MAX_NAMED && isEmpty(value(review))) noteInside(record, object, field);
      const by = review.owner_reply ? hidesReply(record) : undefined;
      if (by === undefined) return review;
      hiding.set(by, (hiding.get(by) ?? 0) + 1);
      return { ...review, owner_reply: null };
    },
    told(readFrom) {
      const read = new Set(Object.values(readFrom).flatMap(({ from }) => from));
      const left = [...unread].filter((name) => !read.has(name));
      const listed = left.slice(0, MAX_NAMED).map((name) => quote(name));
      const more = left.length > MAX_NAMED ? ", …" : "";
      return [
        ...(left.length > 0 ? [`does not use the members ${listed.join(", ")}${more}`] : []),
        ...doubts(read),
        ...[...hiding].map(
          ([by, count]) =>
            `${count === 1 ? "1 reply is" : `${count} replies are`} left out, because ${quote(by)} says that it is not public`,
        ),
      ];
    },
  };
}

/** Whether a member that is called so says that something is not shown. */
function isHidden(called: string, value: unknown): boolean {
  const kind = called !== "" && isStateValue(value) ? stateKind(spellingOf(called)) : undefined;
  return kind !== undefined && stateOf(value, kind) === "hidden";
}

function isMissed({ isUnread, isAuthor }: Pick<NamedMember, "isUnread" | "isAuthor">, { author }: RawReview): boolean {
  return isUnread || (isAuthor && isEmpty(author));
}

/** Whether a value holds something to read: a number, words, or an object or a list of records with words. */
function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.slice(0, MAX_NAMED).some(isObjectOfWords);
  if (isObject(value)) return isObjectOfWords(value);
  return typeof value === "number" || (typeof value === "string" && value.trim() !== "" && !/^https?:/.test(value));
}

/** Whether a member holds a single value. */
function isValue(value: unknown): boolean {
  return typeof value === "boolean" || typeof value === "number" || (typeof value === "string" && value.trim() !== "");
}

function isObjectOfWords(value: unknown): boolean {
  return isObject(value) && Object.values(value).some((one) => typeof one === "string" && isFilled(one));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
