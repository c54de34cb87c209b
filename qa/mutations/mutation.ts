/** A defence that is taken out of the program, and the test that must then fail. */
export interface Mutation {
  /** The test as SECURITY.md names it: its file, and a part of its name. */
  readonly test: `${string}.test.ts: ${string}`;
  /** The defence that is missing then, to be read after "without". */
  readonly without: string;
  readonly file: string;
  /** The place of the defence: occurs in the file exactly once. */
  readonly text: string;
  readonly instead: string;
}
