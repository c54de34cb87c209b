/** A publisher whose documents a test writes. */
import { type Document, makeDocument } from "../../src/edition/document.ts";

const TYPES = {
  "/feed.xml": "application/atom+xml",
  "/api/feed.json": "application/json",
  "/reviews.json": "application/json",
};
export type TestTopic = keyof typeof TYPES;

/** Whose documents are what was last published; a process of the program has one such. */
export interface TestPublisher {
  confirmed(): { readonly revision: number; document(path: string): Document | undefined } | undefined;
  onEdition(listener: () => void): void;
  /** Brings out an edition in which every topic has `text`. */
  publish(text: string, revision?: number): void;
}

/** A publisher that has brought out one edition. */
export function makeTestPublisher(text = "first"): TestPublisher {
  const listeners: (() => void)[] = [];
  let edition: ReturnType<TestPublisher["confirmed"]>;
  let latest = 0;
  const publisher: TestPublisher = {
    confirmed: () => edition,
    onEdition: (listener) => void listeners.push(listener),
    publish(words, revision = latest + 1) {
      latest = revision;
      const documents = new Map(
        Object.entries(TYPES).map(([path, type]) => [path, makeDocument(path, type, `${path} ${words}`)]),
      );
      edition = { revision, document: (path) => documents.get(path) };
      for (const listener of listeners) listener();
    },
  };
  publisher.publish(text);
  return publisher;
}
