/** Digits and the plus sign as strokes, for pictures that must not depend on installed fonts. */
import type { Point } from "./canvas.ts";

/** A digit's width relative to its height. Digits are 0.1 apart. */
const DIGIT_WIDTH = 0.58;

type Strokes = readonly (readonly Point[])[];

/** An elliptical arc as points; angles in degrees, clockwise from the right. */
function arc([x, y]: Point, [radiusX, radiusY]: Point, from: number, to: number): Point[] {
  return Array.from({ length: 73 }, (_, index) => {
    const angle = ((from + ((to - from) * index) / 72) * Math.PI) / 180;
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
  });
}

const [LEFT, MIDDLE, RIGHT] = [0.06, 0.28, 0.5];

const DIGITS: Readonly<Record<string, Strokes>> = {
  "0": [arc([MIDDLE, 0.5], [0.22, 0.44], 0, 360)],
  "1": [
    [
      [0.12, 0.22],
      [0.32, 0.06],
      [0.32, 0.94],
    ],
  ],
  "2": [[...arc([MIDDLE, 0.28], [0.22, 0.22], -170, 40), [LEFT, 0.94], [RIGHT, 0.94]]],
  "3": [[...arc([0.27, 0.27], [0.2, 0.21], -160, 90), ...arc([0.27, 0.71], [0.23, 0.23], -90, 160)]],
  "4": [
    [
      [0.4, 0.94],
      [0.4, 0.06],
      [0.04, 0.68],
      [0.54, 0.68],
    ],
  ],
  "5": [[[0.46, 0.06], [0.11, 0.06], [0.08, 0.46], ...arc([0.26, 0.66], [0.24, 0.28], -120, 150)]],
  "6": [[[0.4, 0.06], ...arc([MIDDLE, 0.66], [0.22, 0.28], 200, 560)]],
  "7": [
    [
      [LEFT, 0.06],
      [RIGHT, 0.06],
      [0.2, 0.94],
    ],
  ],
  "+": [
    [
      [MIDDLE, 0.3],
      [MIDDLE, 0.76],
    ],
    [
      [LEFT, 0.53],
      [RIGHT, 0.53],
    ],
  ],
  "8": [arc([MIDDLE, 0.27], [0.18, 0.21], 0, 360), arc([MIDDLE, 0.71], [0.22, 0.23], 0, 360)],
  "9": [[[0.16, 0.94], ...arc([MIDDLE, 0.34], [0.22, 0.28], 20, 380)]],
};

/** Characters that are narrower than a digit. Any other separates digits by a gap. */
const NARROW: Readonly<Record<string, Strokes>> = {
  ".": [[[0.04, 0.94]]],
  ",": [
    [
      [0.05, 0.9],
      [0, 1.08],
    ],
  ],
  "(": [arc([0.14, 0.5], [0.2, 0.62], 120, 240)],
  ")": [arc([-0.09, 0.5], [0.2, 0.62], 60, -60)],
};
/** The width of a narrow character with its space, relative to a digit's height. */
const NARROW_WIDTH = 0.18;

/** The strokes of a number whose top left corner is `at`, and the number's total width. `height` is in pixels. */
export function numberStrokes(
  text: string,
  at: Point,
  height: number,
): { readonly strokes: Strokes; readonly width: number } {
  let x = at[0];
  const strokes: Point[][] = [];
  for (const character of text) {
    const digit = DIGITS[character];
    for (const stroke of digit ?? NARROW[character] ?? [])
      strokes.push(stroke.map(([px, py]) => [x + px * height, at[1] + py * height]));
    x += (digit === undefined ? NARROW_WIDTH : DIGIT_WIDTH + 0.1) * height;
  }
  return { strokes, width: x - at[0] };
}
