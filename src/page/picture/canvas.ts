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
      const before = pixels[at + channel] ?? 0;
      pixels[at + channel] = Math.round(before + ((color[channel] ?? 0) - before) * coverage);
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
      for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(bottom)); y++) {
        const hits = new Uint8Array(Math.max(0, to - from));
        for (let row = 0; row < SAMPLES; row++) {
          const crossings = crossingsAt(polygon, y + (row + 0.5) / SAMPLES);
          for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
            const start = Math.max(sampleFrom(crossings[pair] ?? 0), from * SAMPLES);
            const end = Math.min(sampleFrom(Math.min(crossings[pair + 1] ?? 0, until)), to * SAMPLES);
            for (let sample = start; sample < end; ) {
              const pixel = Math.floor(sample / SAMPLES);
              const next = Math.min(end, (pixel + 1) * SAMPLES);
              hits[pixel - from] = (hits[pixel - from] as number) + next - sample;
              sample = next;
            }
          }
        }
        for (let at = 0; at < hits.length; at++) {
          const count = hits[at] as number;
          if (count > 0) blend(from + at, y, paint, count / SAMPLES ** 2);
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
        const squareTo = squareDistance(segment);
        for (let y = top; y < bottom; y++) {
          const line = (y - box.top) * wide - box.left;
          for (let x = left; x < right; x++) {
            const away = squareTo(x + 0.5, y + 0.5);
            if (away < (nearest[line + x] as number)) nearest[line + x] = away;
          }
        }
      }
      for (let at = 0; at < nearest.length; at++) {
        const coverage = Math.min(Math.max(radius + 0.5 - Math.sqrt(nearest[at] as number), 0), 1);
        if (coverage > 0) blend(box.left + (at % wide), box.top + Math.floor(at / wide), paint, coverage);
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
  let [beforeX, beforeY] = polygon.at(-1) ?? [0, 0];
  for (const [nextX, nextY] of polygon) {
    if (nextY > y !== beforeY > y) crossings.push(((beforeX - nextX) * (y - nextY)) / (beforeY - nextY) + nextX);
    [beforeX, beforeY] = [nextX, nextY];
  }
  return crossings.sort((a, b) => a - b);
}

type Segment = readonly [from: Point, to: Point];

/** The segments between consecutive points; a single point makes a segment of length 0. */
function segmentsOf(points: readonly Point[]): Segment[] {
  return points.flatMap((from, index) => {
    const to = points[index + 1] ?? (points.length === 1 ? from : undefined);
    return to === undefined ? [] : [[from, to] as const];
  });
}

/** Measures the square of the distance between a segment and points. */
function squareDistance([[fromX, fromY], [toX, toY]]: Segment): (x: number, y: number) => number {
  const [spanX, spanY] = [toX - fromX, toY - fromY];
  const length = spanX ** 2 + spanY ** 2;
  return (x, y) => {
    const along = length === 0 ? 0 : Math.min(Math.max(((x - fromX) * spanX + (y - fromY) * spanY) / length, 0), 1);
    const [awayX, awayY] = [x - fromX - along * spanX, y - fromY - along * spanY];
    return awayX * awayX + awayY * awayY;
  };
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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
    chunk("IDAT", deflateSync(lines, { level: 9 })),
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
