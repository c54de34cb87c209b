/** Finds the business's reply in a text that pages and people have copied together with it. */

const LABELS = `(?:response|reply|comment|answer) (?:from|by|of) (?:the )?(?:business )?(?:owner|management|manager|business)|(?:business )?owner['’]?s? (?:response|reply|answer)|(?:management|manager) response|antwort (?:vom|von|des|der) (?:inhabers?|inhaberin|eigentümers?|geschäftsleitung|unternehmens?)|réponse (?:du|de la|de l['’]) ?(?:propriétaire|direction|entreprise|établissement|gérante?)|respuesta (?:del|de la) (?:propietari[oa]|dueño|dueña|empresa|dirección)|risposta (?:del|della) (?:proprietari[oa]|direzione|titolare)|(?:reactie|antwoord) van (?:de )?(?:eigenaar|directie)|resposta d[oa] (?:proprietári[oa]|empresa|dono)|resposta del propietari|odpowiedź (?:od )?właściciela|svar från ägaren|svar fra (?:ejeren|eieren)|omistajan vastaus|odpověď (?:od )?(?:majitele|vlastníka)|a tulajdonos válasza|răspunsul proprietarului|işletme sahibinin yanıtı|ответ (?:от )?владельца|オーナーからの返信|사장님 ?답글`;
/** A label that begins a line and ends with a colon, an age in brackets or the line. */
const LABEL = new RegExp(
  String.raw`(?:^|\n)[ \t]{0,10}[-–—*>]{0,4}[ \t]{0,4}(?:${LABELS})[ \t]{0,4}(?:\([^()\n]{1,40}\)[ \t]{0,4})?(?::|：|\r?\n|$)`,
  "iu",
);

/** A label in the first line of a reply, with its age: `Response from the owner 2 months ago`. */
const FIRST_LINE = new RegExp(
  String.raw`^\s*(?:${LABELS})[ \t]*(?:(?=[^\n]*(?:\d|ago))[^\n:：]{1,40})?(?:\r?\n|[:：])`,
  "iu",
);

/** A reply without the label that pages show above it. */
export function withoutReplyLabel(reply: unknown): unknown {
  if (typeof reply !== "string" || !FIRST_LINE.test(reply)) return reply;
  const words = reply.replace(FIRST_LINE, "").trim();
  return words === "" ? reply : words;
}

/** The customer's words, and the reply that stands below them in lines of its own. Other values stay as they are. */
export function withoutReply(given: unknown): { readonly text: unknown; readonly reply?: string } {
  const label = typeof given === "string" ? LABEL.exec(given) : null;
  if (label === null || typeof given !== "string") return { text: given };
  const [own, reply] = [given.slice(0, label.index), given.slice(label.index + label[0].length)].map((part) =>
    part.trim(),
  );
  if (!reply) return { text: given };
  return { text: own === "" ? null : own, reply };
}
