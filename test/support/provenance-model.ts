/**
 * A naive model of a store's public history: whole states, copied with each operation, and differences found by comparing
 * them. It shares no code with the program.
 */
import type { Correction } from "../../src/correction.ts";
import type { Provenance } from "../../src/edition/provenance.ts";

const HIDDEN = -1;
const MAX_CHANGES = 1000;

/** A review that sources can have. Twins are one review at two sources. */
export interface Slot {
  readonly source: string;
  readonly id: string;
  readonly author: string;
  readonly date: string;
  readonly twin?: string;
}

export const SLOTS: readonly Slot[] = [
  ...["google", "facebook"].flatMap((source) =>
    [0, 1, 2, 3].map((at) => {
      const twin = `${source === "google" ? "facebook" : "google"}-twin${at}`;
      return { source, id: `${source}-twin${at}`, author: `Twin ${at}`, date: `202${at}-03-04`, twin };
    }),
  ),
  ...["google", "yelp", "first_party"].flatMap((source) =>
    [0, 1, 2, 3, 4, 5].map((at) => ({
      ...{ source, id: `${source}-${at}`, author: `Person ${source} ${at}` },
      date: `202${at % 4}-0${at + 1}-05`,
    })),
  ),
];

/** What an import says of a slot. */
export interface ImportedRow {
  readonly slot: Slot;
  readonly rating: number;
  readonly text: string | null;
  readonly verified: boolean;
  readonly isSpam: boolean;
}

interface Row {
  readonly slot: Slot;
  readonly author: string;
  readonly rating: number;
  readonly text: string | null;
  readonly verified: number | null;
  readonly arrived: number;
}

type Part = "review" | "author" | "text";

interface State {
  readonly name: string;
  readonly rows: ReadonlyMap<string, Row>;
  readonly verifiedSources: readonly string[];
  /** The slots that the owner took out. */
  readonly takenOut: ReadonlySet<string>;
  readonly imports: ReadonlyMap<string, { readonly first: string; readonly last: string }>;
}

/** By slot and part, the stars at the time. */
type Removals = ReadonlyMap<string, { readonly slot: Slot; readonly part: Part; readonly rating: number }>;

/** What praise and criticism in the texts is about. */
export const ASPECTS = ["pricing", "punctuality"] as const;

/** By review, aspect and text: twins are one review. */
type Corrections = ReadonlyMap<string, Corrected>;

interface Corrected extends Pick<Correction, "aspect" | "was" | "is"> {
  readonly slot: Slot;
  readonly text: string;
}

export interface Backup {
  readonly state: State;
  readonly removals: Removals;
  readonly corrections: Corrections;
}

const slotOf = new Map(SLOTS.map((slot) => [slot.id, slot]));

export class ProvenanceModel {
  #state: State = {
    name: "Unnamed business",
    rows: new Map(),
    verifiedSources: ["google"],
    takenOut: new Set(),
    imports: new Map(),
  };
  #removals: Removals = new Map();
  #corrections: Corrections = new Map();
  #undoable: State[] = [];
  #changes: Provenance["changes"] = [];

  backup(): Backup {
    return { state: this.#state, removals: this.#removals, corrections: this.#corrections };
  }

  published(): readonly Row[] {
    return publishedRows(this.#state);
  }

  stored(): readonly Row[] {
    return [...this.#state.rows.values()];
  }

  removed(): readonly string[] {
    return [...new Set([...this.#removals.values()].map(({ slot }) => slot.id))];
  }

  #corrected(): readonly Corrected[] {
    return [...this.#corrections.values()];
  }

  /** Whether there is something to correct. */
  correct(id: string, { aspect, is, at }: Pick<Correction, "aspect" | "is" | "at">): boolean {
    const { slot, text, rating } = this.#state.rows.get(id) ?? {};
    const was = text?.startsWith("Over") ? "negative" : text?.startsWith("They") ? "positive" : undefined;
    if (slot === undefined || typeof text !== "string" || was === undefined) return false;
    const key = `${slot.author} ${aspect} ${text}`;
    // Five stars outweigh complaints.
    if (was === "negative" && rating === 5 && !this.#corrections.has(key)) return false;
    this.#corrections = new Map([...this.#corrections, [key, { slot, aspect, text, was, is }]]);
    this.#list({ at, kind: "correction" });
    return true;
  }

  uncorrect(id: string, aspect: string, at: string): void {
    const isOf = (one: Corrected) => one.slot.author === bySlotId(id).author && one.aspect === aspect;
    const ofText = this.#corrected().filter((one) => isOf(one) && one.text === this.#state.rows.get(id)?.text);
    this.#keepCorrections((one) => (ofText.length > 0 ? !ofText.includes(one) : !isOf(one)));
    this.#list({ at, kind: "correction" });
  }

  import(
    imported: readonly ImportedRow[],
    { at, isComplete, sources }: { at: string; isComplete: boolean; sources?: readonly string[] },
  ): void {
    const verifiedSources = sources ?? this.#state.verifiedSources;
    const rows = new Map(this.#state.rows);
    const taken = new Set(this.#state.takenOut);
    const given = imported.filter(({ slot }) => !this.#isBlocked(slot));
    const isRedacted = ({ slot: { id } }: ImportedRow) =>
      this.#removals.has(`${id} author`) || this.#removals.has(`${id} text`);
    // An import stages redacted reviews again, after the others.
    const staged = [...given.filter((one) => !isRedacted(one)), ...given.filter(isRedacted)];
    const inOrder = [...new Set(staged.map(({ slot }) => slot.source))];
    const arrival = Math.max(0, ...[...rows.values()].map(({ arrived }) => arrived)) + 1;
    const name = sources === undefined ? this.#state.name : "Ada";
    let isRevised = !isSameBusiness({ name, verifiedSources }, this.#state);
    for (const one of given) {
      const { slot, rating, isSpam } = one;
      const before = rows.get(slot.id);
      const verified = isSpam ? HIDDEN : one.verified ? 1 : 0;
      const arrived = before?.arrived ?? arrival + inOrder.indexOf(slot.source);
      const whole = { slot, author: slot.author, rating, text: one.text, verified, arrived };
      const row = this.#redacted(whole);
      if (JSON.stringify(before) !== JSON.stringify(row)) isRevised = true;
      rows.set(slot.id, row);
      taken.delete(slot.id);
    }
    const isGiven = new Set(given.map(({ slot }) => slot.id));
    for (const { slot } of isComplete ? [...rows.values()] : []) {
      if (!inOrder.includes(slot.source) || isGiven.has(slot.id)) continue;
      rows.delete(slot.id);
      taken.add(slot.id);
      isRevised = true;
    }
    if (!isRevised) return;
    const imports = new Map(this.#state.imports);
    for (const source of inOrder) imports.set(source, { first: imports.get(source)?.first ?? at, last: at });
    this.#undoable.push(this.#state);
    this.#become({ name, rows, verifiedSources, takenOut: taken, imports }, "import", at);
  }

  withdraw(source: string, at: string): void {
    const gone = this.stored().filter(({ slot }) => slot.source === source);
    const rows = new Map(this.#state.rows);
    for (const { slot } of gone) rows.delete(slot.id);
    this.#undoable.push(this.#state);
    const takenOut = new Set([...this.#state.takenOut, ...gone.map(({ slot }) => slot.id)]);
    this.#become({ ...this.#state, rows, takenOut }, "withdrawal", at);
  }

  remove(id: string, parts: readonly Part[], at: string): void {
    const row = this.#state.rows.get(id);
    if (row === undefined) throw new Error("not stored");
    const removals = new Map(this.#removals);
    const isWhole = parts.includes("review");
    if (isWhole) for (const part of ["author", "text"]) removals.delete(`${id} ${part}`);
    for (const part of parts)
      if (!removals.has(`${id} ${part}`)) removals.set(`${id} ${part}`, { slot: row.slot, part, rating: row.rating });
    this.#removals = removals;
    this.#erase();
    this.#become(this.#withoutRemoved(this.#state), isWhole ? "removal" : "redaction", at);
  }

  readmit(id: string): void {
    this.#removals = new Map([...this.#removals].filter(([, { slot }]) => slot.id !== id));
  }

  undo(at: string): void {
    const before = this.#undoable.pop();
    if (before !== undefined) this.#become(this.#withoutRemoved(before), "undo", at);
  }

  restore({ state, removals, corrections }: Backup, at: string): void {
    const former = this.#removals;
    const added = [...removals].filter(([key, { slot }]) => !former.has(key) && !former.has(`${slot.id} review`));
    const united = new Map([...former, ...added]);
    for (const { slot, part } of [...united.values()].filter(({ part }) => part === "review"))
      for (const other of ["author", "text"]) if (part === "review") united.delete(`${slot.id} ${other}`);
    this.#removals = united;
    const present = this.#erase();
    const restored = this.#withoutRemoved(state);
    const takenOut = new Set([...present.takenOut, ...restored.takenOut].filter((id) => !restored.rows.has(id)));
    const imports = new Map(this.#state.imports);
    for (const [source, theirs] of state.imports) {
      const own = imports.get(source) ?? theirs;
      imports.set(source, {
        first: own.first < theirs.first ? own.first : theirs.first,
        last: own.last > theirs.last ? own.last : theirs.last,
      });
    }
    const own = this.#corrections;
    const rows = [...restored.rows.values()];
    const words = [...united.values()].filter(({ part }) => part !== "author");
    // One that rests is not taken over if its review may be a removed one, which only its day tells.
    const found = [...corrections].filter(
      ([, one]) => isInForce(one, rows) || !words.some(({ slot }) => areNeighbours(slot, one.slot)),
    );
    this.#corrections = new Map([...found, ...own]);
    this.#keepCorrections(({ slot }) => !this.#isWordless(slot));
    const fresh = [...this.#corrections].filter(([key]) => !own.has(key)).map(([, one]) => one);
    const isCorrecting = fresh.some((one) => isInForce(one, publishedRows(restored)));
    const isSame = JSON.stringify([...present.rows].toSorted()) === JSON.stringify([...restored.rows].toSorted());
    const next = { ...restored, takenOut, imports };
    if (isSame && isSameBusiness(state, this.#state) && added.length === 0 && !isCorrecting) return;
    this.#undoable.push(present);
    this.#become(next, "restore", at, isCorrecting);
  }

  provenance(): Omit<Provenance, "generated_at"> {
    const published = this.published();
    const stored = this.stored();
    const { name, verifiedSources, takenOut, imports } = this.#state;
    const removals = [...this.#removals.values()];
    const of = (source: string, ids: Iterable<string>) =>
      [...ids].filter((id) => slotOf.get(id)?.source === source).length;
    const sources = [...new Set(SLOTS.map(({ source }) => source))].map((source) => {
      const own = published.filter(({ slot }) => slot.source === source);
      const isWithheld = (row: Row) => row.slot.source === source && !isVerified(row, verifiedSources);
      return {
        source,
        published: own.length,
        withheld: stored.filter(isWithheld).length,
        withdrawn: of(
          source,
          [...takenOut].filter((id) => !this.#removals.has(`${id} review`)),
        ),
        removed: removals.filter(({ slot, part }) => slot.source === source && part === "review").length,
        verified_by: verifiedSources.includes(source) ? ("source" as const) : ("row" as const),
        first_imported_at: imports.get(source)?.first ?? null,
        last_imported_at: imports.get(source)?.last ?? null,
        newest_review:
          own
            .map(({ slot }) => slot.date)
            .toSorted()
            .at(-1) ?? null,
      };
    });
    const copies = stored.filter((row) => isVerified(row, verifiedSources) && !published.includes(row)).length;
    const isAny = (each: (typeof sources)[number]) =>
      stored.some(({ slot }) => slot.source === each.source) || each.withdrawn + each.removed > 0;
    const corrections = this.#corrected().filter((one) => isInForce(one, published));
    const hidden = (was: string) => corrections.filter((one) => one.is === "none" && one.was === was).length;
    const [criticism, praise] = [hidden("negative"), hidden("positive")];
    const changed = corrections.length - criticism - praise;
    const kinds = [2023, 2022, 2021, 2020].flatMap((year) => [1, 2, 3, 4, 5].map((rating) => ({ year, rating })));
    return {
      business: name,
      sources: sources.filter(isAny).toSorted((a, b) => b.published - a.published || (a.source < b.source ? -1 : 1)),
      removals: kinds.flatMap(({ year, rating }) => {
        const alike = removals.filter(
          ({ slot, rating: stars }) => slot.date.startsWith(String(year)) && stars === rating,
        );
        const number = (part: Part) => alike.filter((each) => each.part === part).length;
        const counts = { removed: number("review"), redacted_author: number("author"), redacted_text: number("text") };
        return alike.length === 0 ? [] : [{ year, rating, ...counts }];
      }),
      duplicates: copies,
      corrections: { hidden_criticism: criticism, hidden_praise: praise, changed },
      changes: this.#changes,
    };
  }

  #list(change: Pick<Provenance["changes"][number], "at" | "kind">, counts = {}): void {
    const all = { ...change, added: 0, changed: 0, withdrawn: 0, removed: 0, ...counts };
    this.#changes = [all, ...this.#changes].slice(0, MAX_CHANGES);
  }

  #keepCorrections(isKept: (one: Corrected) => boolean): void {
    this.#corrections = new Map([...this.#corrections].filter(([, one]) => isKept(one)));
  }

  #isWordless(slot: Slot): boolean {
    return this.#isBlocked(slot) || this.#removals.has(`${slot.id} text`);
  }

  /** Erases what is removed from all states. */
  #erase(): State {
    this.#keepCorrections(({ slot }) => !this.#isWordless(slot));
    this.#undoable = this.#undoable.map((state) => this.#withoutRemoved(state));
    return this.#withoutRemoved(this.#state);
  }

  #isBlocked({ id, twin }: Slot): boolean {
    return this.#removals.has(`${id} review`) || this.#removals.has(`${twin} review`);
  }

  #redacted(row: Row): Row {
    const author = this.#removals.has(`${row.slot.id} author`) ? "Customer" : row.author;
    return { ...row, author, text: this.#removals.has(`${row.slot.id} text`) ? null : row.text };
  }

  #withoutRemoved(state: State): State {
    const kept = [...state.rows].filter(([, { slot }]) => !this.#isBlocked(slot));
    return { ...state, rows: new Map(kept.map(([id, row]) => [id, this.#redacted(row)])) };
  }

  #become(next: State, kind: Provenance["changes"][number]["kind"], at: string, isCorrecting = false): void {
    const [before, after] = [this.published(), publishedRows(next)].map(
      (rows) =>
        new Map(rows.map(({ slot, author, rating, text }) => [slot.id, JSON.stringify([author, rating, text])])),
    );
    if (before === undefined || after === undefined) throw new Error("no rows");
    const isRenamed = this.#state.name !== next.name;
    this.#state = next;
    const gone = [...before.keys()].filter((id) => !after.has(id));
    const removed = gone.filter((id) => kind !== "undo" && this.#isBlocked(bySlotId(id))).length;
    const added = [...after.keys()].filter((id) => !before.has(id)).length;
    const changed = [...after].filter(([id, print]) => before.has(id) && before.get(id) !== print).length;
    if (!isRenamed && !isCorrecting && added + changed + gone.length === 0) return;
    this.#list({ at, kind }, { added, changed, withdrawn: gone.length - removed, removed });
  }
}

function isSameBusiness(a: Pick<State, "name" | "verifiedSources">, b: typeof a): boolean {
  return a.name === b.name && String(a.verifiedSources) === String(b.verifiedSources);
}

function isInForce({ slot, text }: Corrected, published: readonly Row[]): boolean {
  return published.some((row) => row.slot.author === slot.author && row.text === text);
}

function areNeighbours(one: Slot, other: Slot): boolean {
  return Math.abs(Date.parse(one.date) - Date.parse(other.date)) <= 86_400_000;
}

function bySlotId(id: string): Slot {
  const slot = slotOf.get(id);
  if (slot === undefined) throw new Error(`There is no ${id}`);
  return slot;
}

function isVerified({ slot, verified }: Row, verifiedSources: readonly string[]): boolean {
  return verified === 1 || (verified !== HIDDEN && verifiedSources.includes(slot.source));
}

/** Of twins that are both verified, the one that came first is published. */
function publishedRows({ rows, verifiedSources }: State): readonly Row[] {
  const verified = [...rows.values()].filter((row) => isVerified(row, verifiedSources));
  const rank = (row: Row) => {
    const place = verifiedSources.indexOf(row.slot.source);
    return row.arrived * 100 + (place === -1 ? 50 : place);
  };
  return verified.filter((row) => {
    const twin = verified.find(({ slot }) => slot.id === row.slot.twin);
    if (twin === undefined) return true;
    return rank(row) === rank(twin) ? row.slot.source < twin.slot.source : rank(row) < rank(twin);
  });
}
