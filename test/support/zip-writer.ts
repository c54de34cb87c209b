/** Zip archives for tests, honest ones and such as lie about what they hold. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** The unpacked size that the archive tells instead of the true one. */
  readonly declaredSize?: number;
  /** The checksum that the archive tells instead of the true one. */
  readonly checksum?: number;
  readonly isEncrypted?: boolean;
  /** Tells the bytes of the entry before instead of writing its own, as a bomb of overlapping entries does. */
  readonly isOverlapping?: boolean;
}

/** An archive of these entries. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let [offset, start] = [0, 0];
  for (const entry of entries) {
    const name = Buffer.from(entry.name, "utf8");
    const content = Buffer.from(entry.content);
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(22);
    fields.writeUInt16LE(20, 0); // version needed
    fields.writeUInt16LE(0x0800 | (entry.isEncrypted ? 1 : 0), 2); // names in UTF-8
    fields.writeUInt16LE(8, 4); // deflated
    fields.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(entry.declaredSize ?? content.length, 18);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(name.length, 0);
    if (!entry.isOverlapping) {
      start = offset;
      const local = Buffer.concat([signature(0x04034b50), fields, lengths, name, packed]);
      parts.push(local);
      offset += local.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(start, 10);
    directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), fields, lengths, tail, name]));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
