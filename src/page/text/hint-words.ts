/**
 * What the hints on a search say to visitors of a page that is not in English. Those that only a program can have caused
 * stay as they are.
 */
import { pageLanguageOf, type Translations } from "../../page-languages.ts";
import type { Locale } from "./locale.ts";
import { fill } from "./words.ts";

type Said = Omit<Translations<string>, "en">;

/** Parts of the English hints, and the sentences for the same; `{any}` and the like are names of fields. */
const HINTS: readonly (readonly [RegExp, Said])[] = [
  [
    /^since \(.* is after until/,
    {
      de: "Das Datum bei {since} liegt nach dem bei {until}: Dazu passt keine Bewertung.",
      es: "La fecha inicial es posterior a la final: ninguna reseña puede ser de ese periodo.",
      fr: "La date de début est postérieure à la date de fin : aucun avis ne peut dater de cette période.",
      nl: "De begindatum ligt na de einddatum: daar past geen review bij.",
    },
  ],
  [
    /^min_rating \(.* is above max_rating/,
    {
      de: "Die Mindestzahl der Sterne liegt über der Höchstzahl: Dazu passt keine Bewertung.",
      es: "El mínimo de estrellas es mayor que el máximo: ninguna reseña puede cumplir las dos condiciones.",
      fr: "Le minimum d’étoiles dépasse le maximum : aucun avis ne peut remplir les deux conditions.",
      nl: "Het minimumaantal sterren ligt boven het maximum: daar past geen review bij.",
    },
  ],
  [
    /^No review holds .* as it stands/,
    {
      de: "Keine Bewertung enthält genau diese Wortfolge, wohl aber einzelne Wörter daraus. Suchen Sie mit {any} oder {all}.",
      es: "Ninguna reseña contiene exactamente esas palabras seguidas, pero sí algunas por separado. Se pueden buscar con {any} o {all}.",
      fr: "Aucun avis ne contient exactement cette suite de mots, mais certains mots s’y trouvent séparément. Essayez {any} ou {all}.",
      nl: "Geen review bevat precies deze woorden achter elkaar, maar losse woorden komen wel voor. Zoek met {any} of {all}.",
    },
  ],
];

/** A hint in the page's language; undefined if it has no words there. */
export function hintIn(hint: string, { tag, words, quoted }: Locale): string | undefined {
  const language = pageLanguageOf(tag);
  if (language === undefined || language === "en") return undefined;
  const said = HINTS.find(([part]) => part.test(hint))?.[1][language];
  if (said === undefined) return undefined;
  const { anyWords, allWords, since, until } = words;
  return fill(said, {
    any: quoted(anyWords),
    all: quoted(allWords),
    since: quoted(since),
    until: quoted(until),
  });
}
