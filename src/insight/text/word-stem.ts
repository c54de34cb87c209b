/** Stemmer: maps the inflections of an English word to one form. "arrives", "arrived", "arriving" are all `arriv`. */

const IRREGULAR_FORMS = `
be am is are was were been being | have has had having | do does did done doing | go goes went gone going
come came comes coming | tell told tells telling | say said says saying | show shown showed showing shows
take took taken takes taking | give gave given gives giving | get got gotten gets getting | leave left leaves leaving
keep kept keeps keeping | make made makes making | find found finds finding | feel felt feels feeling
know knew known knows knowing | think thought thinks thinking | pay paid pays paying | send sent sends sending
spend spent spends spending | sell sold sells selling | buy bought buys buying | break broke broken breaks breaking
run ran runs running | stick stuck sticks sticking | stand stood stands standing | understand understood understands
hear heard hears hearing | hold held holds holding | meet met meets meeting | write wrote written writes writing
speak spoke spoken speaks speaking | throw threw thrown throws throwing | blow blew blown blows blowing
freeze froze frozen freezes freezing | choose chose chosen choosing | sit sat sits sitting | sleep slept sleeps sleeping
lose lost loses losing | win won wins winning | build built builds building | bring brought brings bringing
catch caught catches catching | teach taught teaches teaching | fight fought fighting | lie lied lies lying
die died dies dying | use used uses using | man men | woman women | child children | foot feet | tech techs
see saw seen sees seeing | wear wore worn wears wearing | bleed bled bleeding | sweat sweated sweating sweats
drive drove driven drives driving | rise rose risen | begin began begun begins | swear swore sworn swears
forget forgot forgotten forgets | ring rang rung | wake woke woken | fall fell fallen falls falling | eat ate eaten
tear tore torn tears tearing | shut shuts shutting | quit quits quitting | cut cuts cutting | set sets setting
put puts putting | let lets letting | hit hits hitting | feed fed feeds feeding | deal dealt deals dealing
mean meant means meaning | lead led leads leading | steal stole stolen steals stealing | shake shook shaken shaking
hide hid hidden hides hiding | lay laid lays laying | wire wired wires wiring | bill billed bills billing
quote quoted quotes quoting | diagnose diagnosed diagnoses diagnosing diagnosis diagnostic diagnostics | guy guys
this these | that those | kid kids | okay ok k | business businesses | us | gas gases | bus buses | yes | its | his
always | perhaps | sometimes | afterwards | besides | towards | hers | ours | theirs | whereas | across | plus | thus
during | nothing | something | anything | everything | morning mornings | evening evenings | ceiling ceilings
hundred hundreds | indeed | need needs needed needing | speed speeds sped | feedback | wedding | string strings | king
spring springs | ring | thing things | pricing price prices priced | timing time times timed | charge charges charged charging
`;

const IRREGULAR = new Map(
  IRREGULAR_FORMS.trim()
    .split(/\s*[|\n]\s*/)
    .flatMap((line) => {
      const forms = line.trim().split(/\s+/);
      return forms.map((form) => [form, forms[0] ?? form] as const);
    }),
);

const VOWEL = /[aeiouy]/;

/** The stem of a lower-case word. For comparison, not for display: patterns and texts are stemmed by the same rules. */
export function stem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return withoutFinalE(irregular);
  if (word.length < 4 || word.length > 24 || !isSmallLetters(word)) return word;
  return withoutFinalE(withoutEnding(word));
}

function isSmallLetters(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

function withoutEnding(word: string): string {
  switch (word.charCodeAt(word.length - 1)) {
    case 115: // s
      if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
      if (word.endsWith("es") && /(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
      return /[sui]/.test(word.charAt(word.length - 2)) ? word : word.slice(0, -1);
    case 100: // d
      if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
      return word.endsWith("ed") && !word.endsWith("eed") ? withoutVerbEnding(word, 2) : word;
    case 103: // g
      return word.endsWith("ing") ? withoutVerbEnding(word, 3) : word;
    default:
      return word;
  }
}

function withoutVerbEnding(word: string, length: number): string {
  const base = word.slice(0, -length);
  if (base.length < 3 || !VOWEL.test(base)) return word;
  return /([bdgkmnprtv])\1$/.test(base) ? base.slice(0, -1) : base;
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}
