/** A small canvas with antialiased polygons and round strokes, encoded as PNG (ISO/IEC 15948). */
import { crc32, deflateSync } from "node:zlib";

export type Point = readonly [x: number, y: number];

export interface Canvas {
  /** Fills a polygon; nothing is painted to the right of `until`, in pixels. */
  fill(polygon: readonly Point[], color: string, until?: number): void;
  /** Draws a line through the points, with round caps and joins. */
  stroke(points: readonly Point[], width: number, color: string): void;
  png(): Uint8Array;
}

/** Samples per pixel in each direction, for antialiasing. */
const SAMPLES = 4;

/** Makes a canvas filled with the background colour. */
export function makeCanvas(width: number, height: number, ground: string): Canvas {
  const pixels = new Uint8Array(width * height * 3);
  const [red, green, blue] = channels(ground);
  pixels.set([red, green, blue]);
  for (let done = 3; done < pixels.length; done *= 2) pixels.copyWithin(done, 0, done);

  function blend(x: number, y: number, color: readonly number[], coverage: number): void {
    const at = (y * width + x) * 3;
    for (let channel = 0; channel < 3; channel++) {
      const before = pixels[at + channel] as number;
      pixels[at + channel] = Math.round(before + ((color[channel] as number) - before) * coverage);
    }
  }

  /** Paints a run of whole pixels. */
  function paintRun(from: number, to: number, y: number, color: readonly number[]): void {
    if (to <= from) return;
    const [start, end] = [(y * width + from) * 3, (y * width + to) * 3];
    pixels.set(color, start);
    for (let done = start + 3; done < end; done += done - start) {
      pixels.copyWithin(done, start, Math.min(done, start + end - done));
    }
  }

  /** The box in whole pixels, clipped to the canvas. */
  function onCanvas([left = 0, top = 0, right = 0, bottom = 0]: readonly number[]) {
    return {
      left: Math.max(0, Math.floor(left)),
      top: Math.max(0, Math.floor(top)),
      right: Math.min(width, Math.ceil(right)),
      bottom: Math.min(height, Math.ceil(bottom)),
    };
  }

  return {
    fill(polygon, color, until = width) {
      const paint = channels(color);
      const [left = 0, top = 0, right = 0, bottom = 0] = boxOf(polygon, 0);
      const [from, to] = [Math.max(0, Math.floor(left)), Math.min(width, Math.ceil(right))];
      const hits = new Uint8Array(Math.max(0, to - from));
      const whole = new Int8Array(hits.length + 1);
      for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(bottom)); y++) {
        hits.fill(0);
        whole.fill(0);
        for (let row = 0; row < SAMPLES; row++) {
          const crossings = crossingsAt(polygon, y + (row + 0.5) / SAMPLES);
          for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
            const start = Math.max(sampleFrom(crossings[pair] as number), from * SAMPLES);
            const end = Math.min(sampleFrom(Math.min(crossings[pair + 1] as number, until)), to * SAMPLES);
            count(start - from * SAMPLES, end - from * SAMPLES, hits, whole);
          }
        }
        let covering = 0;
        for (let at = 0; at < hits.length; ) {
          covering += whole[at] as number;
          let next = at + 1;
          while (covering === SAMPLES && next < hits.length && whole[next] === 0) next++;
          if (covering === SAMPLES) paintRun(from + at, from + next, y, paint);
          else {
            const samples = covering * SAMPLES + (hits[at] as number);
            if (samples > 0) blend(from + at, y, paint, samples / SAMPLES ** 2);
          }
          at = next;
        }
      }
    },
    stroke(points, lineWidth, color) {
      const paint = channels(color);
      const radius = lineWidth / 2;
      const box = onCanvas(boxOf(points, radius + 1));
      const wide = Math.max(0, box.right - box.left);
      const nearest = new Float64Array(wide * Math.max(0, box.bottom - box.top)).fill(Number.POSITIVE_INFINITY);
      for (const segment of segmentsOf(points)) {
        const { left, top, right, bottom } = onCanvas(boxOf(segment, radius + 1)); // pixels farther away are unaffected
        const [[fromX, fromY], [toX, toY]] = segment;
        const [spanX, spanY] = [toX - fromX, toY - fromY];
        const length = spanX ** 2 + spanY ** 2;
        for (let y = top; y < bottom; y++) {
          const line = (y - box.top) * wide - box.left;
          const offY = y + 0.5 - fromY;
          for (let x = left; x < right; x++) {
            // The square of the distance between the segment and the pixel's middle.
            const offX = x + 0.5 - fromX;
            const along = length === 0 ? 0 : Math.min(Math.max((offX * spanX + offY * spanY) / length, 0), 1);
            const awayX = offX - along * spanX;
            const awayY = offY - along * spanY;
            const away = awayX * awayX + awayY * awayY;
            if (away < (nearest[line + x] as number)) nearest[line + x] = away;
          }
        }
      }
      const farthest = (radius + 0.5) ** 2;
      for (let y = box.top, at = 0; y < box.bottom; y++) {
        for (let x = box.left; x < box.right; x++, at++) {
          const square = nearest[at] as number;
          if (square < farthest) blend(x, y, paint, Math.min(radius + 0.5 - Math.sqrt(square), 1));
        }
      }
    },
    png: () => encode(pixels, width, height),
  };
}

function channels(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function boxOf(points: readonly Point[], margin: number): number[] {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs) - margin, Math.min(...ys) - margin, Math.max(...xs) + margin, Math.max(...ys) + margin];
}

/**
 * Counts the samples `start` to `end` of a line: in `hits` those of pixels that are covered in part; `whole` rises by one
 * where whole pixels begin, and falls where they end.
 */
function count(start: number, end: number, hits: Uint8Array, whole: Int8Array): void {
  if (end <= start) return;
  const [first, last] = [Math.ceil(start / SAMPLES), Math.floor(end / SAMPLES)];
  if (first > last) {
    hits[last] = (hits[last] as number) + end - start;
    return;
  }
  if (start < first * SAMPLES) hits[first - 1] = (hits[first - 1] as number) + first * SAMPLES - start;
  if (last * SAMPLES < end) hits[last] = (hits[last] as number) + end - last * SAMPLES;
  whole[first] = (whole[first] as number) + 1;
  whole[last] = (whole[last] as number) - 1;
}

/** The index of the first sample in a line at or to the right of `x`. */
function sampleFrom(x: number): number {
  return Math.ceil(x * SAMPLES - 0.5);
}

/**
 * The x coordinates at which a horizontal line crosses the polygon's edges, in ascending order: the inside lies between
 * the 1st and 2nd, the 3rd and 4th …
 */
function crossingsAt(polygon: readonly Point[], y: number): number[] {
  const crossings: number[] = [];
  let before = polygon.at(-1);
  for (let at = 0; at < polygon.length; at++) {
    const next = polygon[at] as Point;
    if (before !== undefined && next[1] > y !== before[1] > y)
      crossings.push(((before[0] - next[0]) * (y - next[1])) / (before[1] - next[1]) + next[0]);
    before = next;
  }
  return crossings.length < 2 ? crossings : crossings.sort((a, b) => a - b);
}

type Segment = readonly [from: Point, to: Point];

/** The segments between consecutive points; a single point makes a segment of length 0. */
function segmentsOf(points: readonly Point[]): Segment[] {
  return points.flatMap((from, index) => {
    const to = points[index + 1] ?? (points.length === 1 ? from : undefined);
    return to === undefined ? [] : [[from, to] as const];
  });
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** zlib's default. The highest level takes three times as long and saves a tenth, while a new edition is waiting. */
const COMPRESSION_LEVEL = 6;

/** Encodes 8 bits per channel without transparency. Each line is preceded by its filter type, which is 0 (none). */
function encode(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const lines = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++)
    lines.set(pixels.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = [
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: COMPRESSION_LEVEL })),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}
