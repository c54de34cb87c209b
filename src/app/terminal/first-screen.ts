/** The server's start message on a terminal: the business, its address, the store, and what to do next. */

export interface Serving {
  readonly business: string;
  readonly reviews: number;
  /** Whether this is the bundled sample. */
  readonly sample: boolean;
  readonly url: string;
  readonly storeLocation: string;
  /** The watched folder, if any. */
  readonly watched?: string | undefined;
}

/** Returns five lines. */
export function firstScreen({ business, reviews, sample, url, storeLocation, watched }: Serving): string {
  const count = `${reviews.toLocaleString("en")} ${reviews === 1 ? "review" : "reviews"}`;
  const next = sample
    ? `describe your business with "npx goodword init", then "npx goodword import business.yaml YOUR-EXPORT.zip"`
    : watched === undefined
      ? `"npx goodword import NEWER-EXPORT.zip" imports newer reviews; the server shows them at once`
      : `put newer exports into ${watched}; they are imported automatically`;
  return [
    sample
      ? `Goodword serves the sample business, which is invented: ${business}`
      : `Goodword serves ${business}, ${count}`,
    `  open   ${url}`,
    `  store  ${storeLocation}${sample ? " (no reviews of yours in it yet)" : ""}`,
    `  next   ${next}`,
    "  stop   Ctrl+C; everything is kept",
    "",
  ].join("\n");
}
