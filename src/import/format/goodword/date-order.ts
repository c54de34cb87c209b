/** Decides the order of day and month in a table's dates, from all its dates together. */
import { quote } from "../../../issue.ts";
import { type DateOrder, shownOrder } from "../../review/free-form-date.ts";

/** A date in the table, and its position (`line 3, date`). */
export interface PlacedDate {
  readonly value: unknown;
  readonly at: string;
}

/** The dates' order, or the reason why it is uncertain. */
export type OrderResult = { readonly order: DateOrder | undefined } | { readonly refusal: string };

const HOW = "Say which with --dates dmy (day first) or --dates mdy (month first)";

/**
 * Finds the order. One date with a day above 12 decides for all. Dates with dots have the day first unless another date
 * shows the opposite. Ambiguous or contradictory dates are refused, never guessed.
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
