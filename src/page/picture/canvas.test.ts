import assert from "node:assert/strict";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { makeCanvas, type Point } from "./canvas.ts";

const [WIDTH, HEIGHT] = [23, 17];
const SAMPLES = 4;

/** The red parts of all pixels of a PNG of one chunk of data. */
function reds(png: Uint8Array): number[] {
  const buffer = Buffer.from(png);
  const at = buffer.indexOf("IDAT");
  const lines = inflateSync(buffer.subarray(at + 4, at + 4 + buffer.readUInt32BE(at - 4)));
  return Array.from(
    { length: WIDTH * HEIGHT },
    (_, place) => lines[Math.floor(place / WIDTH) * (WIDTH * 3 + 1) + 1 + (place % WIDTH) * 3] as number,
  );
}

/** Whether a point is inside a polygon. */
function holds(polygon: readonly Point[], x: number, y: number): boolean {
  const sides = polygon.map((from, at) => [from, polygon[(at + 1) % polygon.length] as Point] as const);
  const crossed = sides.filter(
    ([[fromX, fromY], [toX, toY]]) =>
      fromY > y !== toY > y && ((fromX - toX) * (y - toY)) / (fromY - toY) + toX > x - 1e-9,
  );
  return crossed.length % 2 === 1;
}

/** What black on white gives, sample by sample. */
function expected(polygon: readonly Point[], until: number): number[] {
  return Array.from({ length: WIDTH * HEIGHT }, (_, place) => {
    const [left, top] = [place % WIDTH, Math.floor(place / WIDTH)];
    let count = 0;
    for (let sample = 0; sample < SAMPLES ** 2; sample++) {
      const x = left + ((sample % SAMPLES) + 0.5) / SAMPLES;
      const y = top + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
      if (x < until && holds(polygon, x, y)) count++;
    }
    return Math.round(255 - 255 * (count / SAMPLES ** 2));
  });
}

const POLYGONS: Readonly<Record<string, readonly Point[]>> = {
  "a rectangle with edges between pixels": [
    [2.3, 1.6],
    [19.8, 1.6],
    [19.8, 9.4],
    [2.3, 9.4],
  ],
  "a sliver inside one pixel": [
    [5.3, 2],
    [5.8, 2],
    [5.8, 15],
    [5.3, 15],
  ],
  "a star that goes beyond the canvas": Array.from({ length: 10 }, (_, at) => {
    const radius = at % 2 === 0 ? 14.3 : 5.9;
    return [11.2 + radius * Math.cos((at * Math.PI) / 5), 8.1 + radius * Math.sin((at * Math.PI) / 5)];
  }),
};

for (const [what, polygon] of Object.entries(POLYGONS)) {
  for (const until of [WIDTH, 11.4]) {
    test(`fill() covers ${what}, until ${until}, as its samples say`, () => {
      const canvas = makeCanvas(WIDTH, HEIGHT, "#ffffff");
      canvas.fill(polygon, "#000000", until);
      assert.deepEqual(reds(canvas.png()), expected(polygon, until));
    });
  }
}

test("stroke() draws round caps: black inside, white farther away than the line is wide", () => {
  const canvas = makeCanvas(WIDTH, HEIGHT, "#ffffff");
  canvas.stroke(
    [
      [6, 8],
      [16, 8],
    ],
    6,
    "#000000",
  );
  const pixels = reds(canvas.png());
  for (const [place, red] of pixels.entries()) {
    const [x, y] = [(place % WIDTH) + 0.5, Math.floor(place / WIDTH) + 0.5];
    const away = Math.hypot(x - Math.min(Math.max(x, 6), 16), y - 8);
    assert.equal(red, Math.round(255 - 255 * Math.min(Math.max(3.5 - away, 0), 1)), `at ${x}, ${y}`);
  }
});
