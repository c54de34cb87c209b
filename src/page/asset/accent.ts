/** The business's colour, adjusted until it is readable on the light and the dark background. */

/** The default colour. */
export const DEFAULT_COLOR = "#0b5cad";

/** The backgrounds behind text in the accent colour: the style sheet's palest and darkest. */
export const GROUNDS = { light: "#f6f7f9", dark: "#1c222b" } as const;

/** The accent's share in the colour of the overview's top band; `--tint` in the style sheet. */
const TINT_SHARE = 0.08;

/** Minimum contrast for text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;

type Rgb = readonly [number, number, number];

/** The accent for both colour schemes: the given colour, darkened or lightened no more than necessary. */
export function accents(color: string): { readonly light: string; readonly dark: string } {
  return {
    light: shift(color, [GROUNDS.light, "#ffffff"], [0, 0, 0]),
    dark: shift(color, [GROUNDS.dark, GROUNDS.dark], [255, 255, 255]),
  };
}

/** The contrast ratio between two colours, 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(parse(a)), luminance(parse(b))].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** The band's background: the paper colour mixed with a little of the accent. */
export function tinted(paper: string, accent: string): string {
  return mix(parse(paper), parse(accent), TINT_SHARE);
}

/**
 * The first step from `color` towards `towards` that is readable both on the background and on the paper tinted with
 * that step.
 */
function shift(color: string, [ground, paper]: readonly [string, string], towards: Rgb): string {
  for (let step = 0; step <= 50; step++) {
    const mixed = mix(parse(color), towards, step / 50);
    if ([ground, tinted(paper, mixed)].every((one) => contrast(mixed, one) >= MIN_CONTRAST)) return mixed;
  }
  return mix(towards, towards, 0);
}

function mix(from: Rgb, to: Rgb, share: number): string {
  return `#${from
    .map((value, index) =>
      Math.round(value + ((to[index] ?? 0) - value) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function parse(color: string): Rgb {
  const [, red = "0", green = "0", blue = "0"] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? [];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
