/** Telephone numbers as people type them, and what to say about one that cannot be dialled from everywhere. */

/** The number as it is kept: the international prefix 00 becomes a plus. */
export function dialledNumber(typed: string): string {
  return typed.replace(/^00(?=\s*[1-9])/, "+");
}

/** A hint about a number that is not international (ITU-T E.164); undefined for one that is. It may be kept as it is. */
export function telephoneHint(number: string): string | undefined {
  const digits = number.replace(/\(0\)/g, "").replaceAll(/\D/g, "");
  const example =
    "With it, the number begins with +, such as +353 1 555 0142 for Dublin or +1 512 555 0142 for Austin.";
  if (!/^\s*\+/.test(number))
    return `${number} has no country code, so a phone may not reach it from elsewhere. ${example}`;
  if (digits.startsWith("0")) return `${number} has a 0 where the country code belongs. ${example}`;
  if (digits.length < 7 || digits.length > 15)
    return `${number} has ${digits.length} digits; numbers with a country code have 7 to 15. Please check it.`;
  return undefined;
}
