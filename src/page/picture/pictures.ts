/** An edition's pictures that cannot be SVG: the link preview and the home-screen icons. */
import { type Document, makeDocument } from "../../edition/document.ts";
import { ICON_SIZES, RATING_PICTURE } from "../../interface.ts";
import { accents, DEFAULT_COLOR } from "../asset/accent.ts";
import { makeCanvas, type Point } from "./canvas.ts";
import { numberStrokes } from "./digits.ts";

const [INK, SOFT] = ["#1a222d", "#535e6c"];
const [STAR_ON, STAR_OFF] = ["#c47100", "#d9dee5"];

/** Cache of pictures, which change far less often than editions do. */
const pictureCache = new Map<string, Document>();
const MAX_PICTURES = 16;

/** A rating, and its numbers as a page formats them. */
export interface RatingText {
  /** Null without reviews. */
  readonly mean: number | null;
  readonly meanText: string;
  readonly countText: string;
}

/** The mean rating as a number and as stars with the number of reviews, in the business's colour. */
export function renderRatingPicture(rating: RatingText, color: string = DEFAULT_COLOR): Document {
  const { mean, meanText, countText } = rating;
  return cached(`${color} ${meanText} ${countText}`, () => {
    const { path, width, height } = RATING_PICTURE;
    const canvas = makeCanvas(width, height, "#ffffff");
    canvas.fill(rectangle(0, 0, width, 28), accents(color).light);
    const write = (text: string, { top, size, color: ink }: Writing) => {
      const wide = numberStrokes(text, [0, 0], size).width;
      const start = (width - wide + size * 0.09) / 2;
      for (const stroke of numberStrokes(text, [start, top], size).strokes) canvas.stroke(stroke, size * 0.148, ink);
    };
    if (mean !== null) {
      write(meanText, { top: 82, size: 220, color: INK });
      write(`(${countText})`, { top: 528, size: 56, color: SOFT });
    }
    const side = 168;
    const left = (width - side * 5) / 2;
    const top = mean === null ? 230 : 336;
    for (let index = 0; index < 5; index++) {
      const star = starAt(left + index * side, top, side);
      canvas.fill(star, STAR_OFF);
      if (mean !== null) canvas.fill(star, STAR_ON, left + side * mean);
    }
    return makeDocument(path, "image/png", canvas.png());
  });
}

/** Rounds to two significant digits, so that not every review makes a new image. */
export function roundedCount(count: number, write: (value: number) => string): string {
  const unit = 10 ** Math.max(0, String(count).length - 2);
  const rounded = Math.floor(count / unit) * unit;
  return `${write(rounded)}${rounded < count ? "+" : ""}`;
}

interface Writing {
  readonly top: number;
  /** The height of a digit. */
  readonly size: number;
  readonly color: string;
}

/** Square home-screen icons: a star on the business's colour. */
export function renderIcons(color: string = DEFAULT_COLOR): Document[] {
  return ICON_SIZES.map((size) =>
    cached(`${color} ${size}`, () => {
      const canvas = makeCanvas(size, size, accents(color).light);
      canvas.fill(starAt(size * 0.14, size * 0.13, size * 0.72), "#ffffff");
      return makeDocument(`/assets/icon-${size}.png`, "image/png", canvas.png());
    }),
  );
}

function cached(key: string, draw: () => Document): Document {
  const document = pictureCache.get(key) ?? draw();
  pictureCache.set(key, document);
  const [oldest] = pictureCache.keys();
  if (pictureCache.size > MAX_PICTURES && oldest !== undefined) pictureCache.delete(oldest);
  return document;
}

function rectangle(left: number, top: number, right: number, bottom: number): Point[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** A five-pointed star in a square with this side length. */
function starAt(left: number, top: number, side: number): Point[] {
  const [x, y] = [left + side / 2, top + side * 0.53];
  return Array.from({ length: 10 }, (_, index) => {
    const radius = side * (index % 2 === 0 ? 0.48 : 0.2);
    const angle = (index * 36 - 90) * (Math.PI / 180);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}
