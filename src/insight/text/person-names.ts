/** First names that are also ordinary words, short forms, and words for relatives and other third persons. */

/** Names that are also words: in lower case or at the start of a sentence, they may not mean a person. */
const WORD_NAMES = new Set(
  `will joy art mark grant rich tad memo chase drew bill rob pat frank dawn faith hope grace may june april august summer
  autumn rose lily daisy iris ivy holly ginger ruby pearl amber crystal jade sky skye angel chance hunter mason carter
  cooper tanner taylor parker walker clay cliff dale dean earl duke guy jack jay josh lance miles nick pierce ray reed
  robin rusty sandy skip sterling stone tucker victor wade ward don gene herb lane major max mercy penny peg randy rod
  sunny bob buck bud buddy chip curt van woody ace forest heath hank harry heather hazel heidi jean jewel justice king
  kit lee levi love mack mark marina melody mike misty olive page paige patience pepper peter phoenix piper porter prince
  rain rocky rob roman royal sage sailor sally savannah scout serenity shade shepherd star storm sue tab ted teddy tiny
  tom trace trinity tuck violet wells west wild wolf wren bishop blaze bo booker brook brooks brock case cash cherry
  christian clark cole colt cord cruz cub cutter dash destiny devin diamond dick dusty ember ever fern fletcher flora
  ford fox gage glen glory golden gray grey gunner happy harmony harper haven hill honor hudson jet jordan journey
  knight lake landon lark laurel legend liberty lincoln link lucky marshal marshall merry mist moses nash noble north
  oak ocean opal park pace patton paris pilot poppy precious price prudence quick ram ranger reef remy rhodes rider
  ridge river rowan rush ryder sawyer seven silver sonny spike spring sterling sutton sweet tiger topaz true tripp
  tristan trip trey troy turner twist valentine vale vaughn wiley win winter wise wood woods york young zen dot fay
  gay hap jo kay les lex lin lot mat matt mel mo nat ned oz pa sid sol tan ty val vi vic way so dan so an in on ed al
  ben sam tim jim joe ken bell rene dolly dory carol cat candy chuck chad tony jerry jimmy johnny john toby tommy robbie`
    .split(/\s+/)
    .filter(
      (name) =>
        !"ed al ben sam tim jim joe ken josh mike tom ted dan peter tony jerry jimmy johnny john toby tommy robbie nick harry jordan taylor matt mat max bob marina heidi heather devin landon tristan remy lincoln levi jack dean"
          .split(" ")
          .includes(name),
    ),
);

/** Short forms by full first name: customers use them for people whom the business lists by full name. */
const SHORT_FORMS = new Map<string, readonly string[]>(
  `alexander alex xander | andrew andy drew | anthony tony | benjamin ben benny | charles charlie chuck | christopher chris topher
  daniel dan danny | david dave davey | edward ed eddie | francisco paco frank | frederick fred freddy | gabriel gabe
  gregory greg | guillermo memo | jacob jake | james jim jimmy jamie | jason jay | jeffrey jeff | jennifer jen jenny | jeremy jerry
  jesus chuy | jonathan jon jonny | jose pepe | joseph joe joey | joshua josh | katherine kate katie kathy | kenneth ken kenny
  lawrence larry | leonard leo lenny | louis lou | manuel manny | matthew matt | michael mike mikey mick | nathan nate | nathaniel nate
  nicholas nick nicky | patrick pat paddy | peter pete | philip phil | phillip phil | raymond ray | rebecca becky | richard rick ricky rich richie
  robert rob bob bobby robbie | ronald ron ronnie | samantha sam | samuel sam sammy | stephen steve | steven steve | terrence terry
  thaddeus thad tad | theodore ted teddy theo | thomas tom tommy | timothy tim timmy | victor vic | vincent vince vinny
  walter walt wally | william will bill billy willy | zachary zach zack | alejandro alex ale | eduardo eddie lalo | enrique kike | roberto beto
  arthur art artie | bradley brad | cameron cam | dominic dom | douglas doug | elizabeth liz beth | eugene gene | gerald jerry
  harold hal harry | jackson jack | maxwell max | mitchell mitch | randall randy | russell russ | stanley stan | tyler ty | wesley wes`
    .split(/\s*[|\n]\s*/)
    .map((line) => line.trim().split(" "))
    .map(([full = "", ...short]) => [full, short] as const),
);

/** Words that mark the following name as another person's: "my husband Mark", "neighbor Joy". */
export const RELATIONS = new Set(
  `husband wife son daughter brother sister mother father mom dad mum mama papa grandma grandpa grandmother grandfather uncle aunt
  cousin nephew niece neighbor neighbour neighbors friend buddy boyfriend girlfriend fiance fiancee partner spouse roommate
  landlord tenant boss coworker colleague realtor agent inspector plumber electrician contractor handyman dog cat pup puppy kid
  kiddo hubby bestie stepson inlaw law pastor doctor renter homeowner customer client baby toddler grandson granddaughter
  ex builder painter roofer`.split(/\s+/),
);

/** Whether a lower-case name is also an ordinary word. */
export function isWordName(name: string): boolean {
  return WORD_NAMES.has(name);
}

/** Short forms of a lower-case first name; empty if none are known. */
export function shortForms(firstName: string): readonly string[] {
  return SHORT_FORMS.get(firstName) ?? [];
}
