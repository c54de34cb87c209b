/**
 * A growing list of texts as UTF-8 outside V8's heap, where they are neither copied nor looked through when garbage is
 * collected. When they take more memory than they may, all but the last ones are in a temporary file.
 */
import { makePackedNumbers } from "./packed-numbers.ts";
import { openPrivateFile, type PrivateFile } from "./private-file.ts";

export interface PackedTexts {
  readonly count: number;
  add(text: string): void;
  /** The text with this index, from 0 on. */
  at(index: number): string;
  close(): void;
}

/** The size of the first block of bytes, and of the last ones: each is twice as large as the one before. */
const [FIRST_BYTES, MOST_BYTES] = [65_536, 4_194_304];
/** More than a block of texts has bytes: a text is shorter than that. */
const MOST_STARTS = 2 ** 32;
/** UTF-8 takes at most so many bytes for each unit of a string. */
const BYTES_A_UNIT = 3;
/** So many bytes of the file are read at a time when texts are asked for in their order. */
const BYTES_AHEAD = 65_536;

/** Makes an empty list, of which about `bytesInMemory` stay in memory. */
export function openPackedTexts(bytesInMemory: number): PackedTexts {
  /** The blocks in memory, and where those begin and end that are in the file. */
  const blocks: (Buffer | undefined)[] = [];
  const places: { readonly start: number; readonly end: number }[] = [];
  let file: PrivateFile | undefined;
  let block: Buffer = Buffer.alloc(0);
  /** The block is used up to here; all blocks in memory take so many bytes. */
  let [used, bytes] = [0, 0];
  /** Of each text: its block and where it begins there, as one number, and its length. */
  const starts = makePackedNumbers();
  const lengths = makePackedNumbers();
  /** What was read of the file last, where that begins there, and how long it is. */
  let read: Buffer = Buffer.alloc(0);
  let [readStart, readLength] = [0, 0];
  /** The index of the text that was asked for last of those in the file. */
  let lastIndex = -1;

  function addBlock(leastBytes: number): void {
    if (bytes > bytesInMemory) moveToFile();
    const usual = Math.min(MOST_BYTES, bytesInMemory, 2 * block.length);
    const size = Math.max(leastBytes, FIRST_BYTES, usual);
    block = Buffer.allocUnsafeSlow(size);
    blocks.push(block);
    bytes += size;
    used = 0;
  }

  /** Moves the last block to the file: the first ones stay, which saves reading what an import comes back to. */
  function moveToFile(): void {
    file ??= openPrivateFile();
    const start = file.append(block.subarray(0, used));
    places[blocks.length - 1] = { start, end: start + used };
    blocks[blocks.length - 1] = undefined;
    bytes -= block.length;
  }

  /** The text of so many bytes from there on in the file; what comes before `end` may be read with it. */
  function textInFile(index: number, start: number, { length, end }: { length: number; end: number }): string {
    const isNext = index === lastIndex + 1;
    lastIndex = index;
    if (start < readStart || start + length > readStart + readLength) {
      readStart = start;
      readLength = isNext ? Math.max(length, Math.min(BYTES_AHEAD, end - start)) : length;
      if (read.length < readLength) read = Buffer.allocUnsafeSlow(2 * readLength);
      file?.read(read.subarray(0, readLength), start);
    }
    return read.toString("utf8", start - readStart, start - readStart + length);
  }

  return {
    get count() {
      return lengths.length;
    },
    add(text) {
      const most = text.length * BYTES_A_UNIT;
      if (most > block.length - used) addBlock(most);
      const length = block.write(text, used, "utf8");
      starts.push((blocks.length - 1) * MOST_STARTS + used);
      lengths.push(length);
      used += length;
    },
    at(index) {
      const length = lengths.at(index);
      const from = starts.at(index);
      const number = Math.floor(from / MOST_STARTS);
      const start = from - number * MOST_STARTS;
      const inMemory = blocks[number];
      if (inMemory !== undefined) return inMemory.toString("utf8", start, start + length);
      const place = places[number] ?? { start: 0, end: 0 };
      return textInFile(index, place.start + start, { length, end: place.end });
    },
    close: () => file?.close(),
  };
}
