/** The order of day and month in a table's dates, told by all of them together. */
import { quote } from "../../../issue.ts";
import { type DateOrder, shownOrder } from "../../review/date-text.ts";

/** A date of the table, and where it stands (`line 3, date`). */
export interface PlacedDate {
  readonly value: unknown;
  readonly at: string;
}

/** The order of the dates, or why they have none that is sure. */
export type OrderResult = { readonly order: DateOrder | undefined } | { readonly refusal: string };

const HOW = "Say which with --dates dmy (day first) or --dates mdy (month first)";

/**
 * Finds the order: one day above 12 tells it for all. Dates with dots have the day first unless others say differently.
 * Dates that could be read both ways, and dates that contradict each other, are not guessed at.
 */
export async function findDateOrder(dates: AsyncIterable<PlacedDate>): Promise<OrderResult> {
  const first = new Map<ReturnType<typeof shownOrder>, PlacedDate>();
  for await (const date of dates) {
    const shown = shownOrder(date.value);
    if (shown !== undefined && !first.has(shown)) first.set(shown, date);
  }
  const [dmy, mdy, ambiguous] = [first.get("dmy"), first.get("mdy"), first.get("ambiguous")];
  if (dmy !== undefined && mdy !== undefined) {
    return {
      refusal: `the dates contradict each other: ${quote(dmy.value)} (${dmy.at}) has the day first, ${quote(mdy.value)} (${mdy.at}) the month. Correct them in the file`,
    };
  }
  if (dmy !== undefined || mdy !== undefined) return { order: dmy === undefined ? "mdy" : "dmy" };
  if (ambiguous === undefined) return { order: first.has("custom") ? "dmy" : undefined };
  return {
    refusal: `${quote(ambiguous.value)} (${ambiguous.at}) can be one day or another, depending on the country, and no other date of the file shows which. ${HOW}`,
  };
}
