/**
 * Word valences: the VADER lexicon, corrected for words with another meaning in a trade's reviews and extended with
 * missing words.
 */
import { lexicon } from "vader-sentiment/src/vader_lexicon.js";
import { perLexeme } from "../text/tokens.ts";

/** Words with a VADER valence that express no judgement, or a different one, in a trade's reviews. */
const NEUTRAL_WORDS = `
  like cool cold chill fire kind well please pretty sir care number numbers play sharp credit heat warm hot cut cuts cry
  emergency problem problems issue issues repair leak leaking alone appreciation certain certainly definite definitely
  interest interested matter matters share shared vision loose sure true want wants wanted natural safe safely safety
  secure yes no not alert alarm alarms block blocked concern concerned concerns damage demand freeze free frozen gas hell
  lowest low lower limited pressure rescue save saves solved shock stuck stop stopped tank united value values vitamin
  novel original chance active hand happen god lady miss missed mean means mind mine novel party poor positive negative
  noise noisy pay pays payment strong weak grand cares fan fans spark sparks smart weapon worn worse thank dear lord
  avoid reward novelty intense contact resolve resolved solution solutions suggestion interrupt heaven admit admitted
  assume attempt cancel check growing growth help helped helps helping commit committed agree agreed accept accepted opportunity join`;

/** Valences for words in a trade's reviews, -4 to 4. */
const TRADE_WORDS = `
  knowledgeable 2.4 | punctual 2.2 | prompt 2 | promptly 2 | timely 1.8 | courteous 2.4 | thorough 2.2 | thoroughly 1.6
  professional 2.2 | professionally 2.2 | professionalism 2.2 | efficient 2.2 | efficiently 2 | affordable 2 | reasonable 1.8
  reasonably 1.6 | fair 1.9 | fairly 1 | spotless 2.6 | immaculate 2.8 | tidy 1.8 | neat 1.8 | clean 1.6 | cleaner 1.4
  reliable 2.2 | dependable 2.3 | trustworthy 2.6 | transparent 1.8 | upfront 1.8 | straightforward 1.7 | flawless 2.9
  flawlessly 2.9 | seamless 2.4 | seamlessly 2.4 | painless 1.9 | smoothly 1.7 | smooth 1.5 | quick 1.4 | quickly 1.4
  fast 1.4 | speedy 1.5 | responsive 2 | attentive 2 | informative 1.9 | knowledgable 2.4 | accommodating 2.1 | flexible 1.5
  meticulous 2.4 | skilled 2.1 | expert 1.9 | expertly 2.2 | experienced 1.5 | competent 1.8 | amazing 2.9 | top-notch 2.8
  stellar 2.9 | superb 3.1 | exceptional 2.8 | phenomenal 3 | lifesaver 2.8 | recommend 1.8 | recommended 1.8 | recommending 1.6
  highly 0.8 | quality 1.3 | solid 1.6 | bargain 1.7 | pleasantly 2 | pleasant 2.2 | patient 1.4 | personable 2.1
  respectful 2.3 | considerate 2.1 | explained 0.6 | thankful 2 | relieved 1.6 | comfortable 1.6 | quiet 0.8 | perfectly 2.6
  correctly 1.3 | properly 1.1 | legit 1.5 | gem 2.4 | wizard 2.2 | pro 1.4 | pros 1.4 | ace 1.8 | heroes 2.6 | savior 2.6
  expensive -1.4 | pricey -1.5 | overpriced -2.4 | steep -1.2 | costly -1.4 | outrageous -2.6 | exorbitant -2.6 | ripoff -3
  ripped -1.8 | rip-off -3 | gouge -2.5 | gouged -2.5 | gouging -2.6 | scam -3 | scammed -3 | scammers -3.2 | crooks -3
  crook -3 | thieves -3 | shady -2.3 | sketchy -2 | pushy -2 | upsell -1.7 | upsold -1.8 | upselling -1.8 | misleading -2.1
  misled -2.2 | unprofessional -2.6 | rude -2.6 | rudely -2.6 | dismissive -2 | condescending -2.4 | unresponsive -2
  unreliable -2.2 | incompetent -2.8 | incompetence -2.8 | clueless -2.2 | sloppy -2.2 | shoddy -2.5 | careless -2.1
  crooked -1.7 | botched -2.5 | butchered -2.4 | late -1.4 | delayed -1.2 | delay -1.1 | delays -1.2 | unacceptable -2.4
  ignored -1.9 | ghosted -2.4 | hassle -1.6 | nightmare -2.8 | runaround -2 | excuse -1.2 | excuses -1.6 | mess -1.6
  messy -1.6 | filthy -2.4 | dirty -1.4 | refused -1.6 | wrong -1.7 | broken -1.3 | broke -1.2 | failed -1.9 | fails -1.8
  slow -1.2 | waited -0.8 | waiting -0.6 | wasted -2 | waste -1.8 | beware -2.2 | worst -3.1 | horrible -2.8 | terrible -2.8
  awful -2.7 | subpar -1.9 | mediocre -1.3 | overcharged -2.3 | unnecessary -1.4 | regret -1.9 | lousy -2.4 | joke -1.6
  lied -2.6 | lie -2 | lies -2.2 | liars -3 | dishonest -2.7 | deceptive -2.5 | disappointed -2.2 | disappointing -2.2
  frustrating -2.1 | frustrated -2 | annoyed -1.7 | annoying -1.7 | unhappy -2 | dissatisfied -2.2 | abrupt -1.5 | curt -1.6
  alarming -1.8 | brutal -2 | painful -2 | eye-watering -2 | staggering -1.2 | hefty -1.2 | immaculate 2.8 | unbeatable 2.4 | crisp 1.2
  gruff -1.4 | grumpy -1.6 | bland -1.5 | stale -1.8 | soggy -1.6 | overcooked -1.8 | greasy -1.1 | tasteless -2 | cramped -1.3
  loud -1.1 | noisy -1.2 | undercooked -1.8 | delicious 2.9 | tasty 2.2 | yummy 2.3 | fresh 1.4 | flavorful 2.1 | cozy 1.8
  juicy 1.6 | crispy 1.2 | tender 1.4 | dry -1 | bad -2.4 | good 1.9 | great 2.8 | worth 1.4 | helpful 2 | unhelpful -2.1
  thanks 1.2 | thank 1.2 | worse -2 | poor -2.2 | poorly -2.2 | lacking -1.4 | lack -1.3 | lacks -1.4 | outdated -1.2
  👍 2 | 😊 2 | 😀 1.8 | 😁 1.8 | ❤ 2.4 | 🙏 1.2 | 💯 2 | 😡 -2.6 | 🤬 -3 | 👎 -2.4 | 🙄 -1.6 | 😤 -1.8 | 😠 -2.4 | 🤡 -2.2`;

const VALENCES = new Map<string, number>();
for (const [word, weight] of Object.entries(lexicon)) {
  if (/^[a-z'-]+$/.test(word)) VALENCES.set(word, weight);
}
for (const word of NEUTRAL_WORDS.split(/\s+/)) VALENCES.delete(word);
for (const entry of TRADE_WORDS.split(/\s*[|\n]\s*/)) {
  const [word, weight] = entry.trim().split(" ");
  if (word !== undefined && weight !== undefined) VALENCES.set(word, Number(weight));
}

/** The valence of a lower-case word: -4 (worst) to 4 (best), 0 for words without judgement. */
export function valenceOf(form: string): number {
  return VALENCES.get(form) ?? 0;
}

/** The same of a text's word. */
export const valenceOfLexeme = perLexeme(valenceOf);
