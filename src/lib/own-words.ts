/**
 * Text of the program's own, for logs and stored outcomes: the type admits literals of the source code, numbers, error
 * codes and hosts, and no word of an imported file, a client or another server.
 */

declare const isOwn: unique symbol;

export type OwnWords = string & { readonly [isOwn]: true };

/** A literal of the source code, with numbers and other own words in it. */
export function ownWords(literals: TemplateStringsArray, ...values: readonly (number | OwnWords)[]): OwnWords {
  return literals.reduce((text, literal, index) => text + values[index - 1] + literal) as OwnWords;
}

/** Own words as a list. */
export function ownList(parts: readonly OwnWords[], separator: OwnWords): OwnWords {
  return parts.join(separator) as OwnWords;
}

/** The name of a constant or setting, such as `ENOSPC`; undefined if it is none. */
export function constantName(name: unknown): OwnWords | undefined {
  return typeof name === "string" && /^[A-Z][A-Z0-9_]{2,63}$/.test(name) ? (name as OwnWords) : undefined;
}

/** The code of an error of the system or a library, or of the error that caused it. */
export function errorCode(error: unknown): OwnWords | undefined {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  return constantName(code) ?? constantName((cause as { readonly code?: unknown } | undefined)?.code);
}

/** Length of the longest domain name (RFC 1035 §3.1). */
const MAX_HOST_LENGTH = 255;

/** The host and port of an address, which a log may show. */
export function hostOf({ host }: { readonly host: string }): OwnWords {
  return host.slice(0, MAX_HOST_LENGTH) as OwnWords;
}
