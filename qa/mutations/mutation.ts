/** A defence that is taken out of the program, and the test that must then fail. */
export interface Mutation {
  /** The test as SECURITY.md names it: its file, and a part of its name. */
  readonly test: `${string}.test.ts: ${string}`;
  /** The missing defence, as a noun: it follows "without". */
  readonly without: string;
  readonly file: string;
  /** The source of the defence, which occurs in the file exactly once. */
  readonly text: string;
  readonly instead: string;
}
