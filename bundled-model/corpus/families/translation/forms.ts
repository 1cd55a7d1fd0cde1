// The forms of nouns and adjectives that the patterns need: articles, cases, agreement.
import type { Adjective, Attribute, Language, Noun } from './lexicon.js';

export type Forms = Record<string, string>;

/** All forms of a noun in this language; `ending` distinguishes the second noun's slots. */
export function toNounForms(language: Language, noun: Noun, ending = ''): Forms {
  const forms = NOUN_FORMS[language](noun.one[language], noun.many?.[language] ?? '');
  return Object.fromEntries(Object.entries(forms).map(([name, form]) => [name + ending, form]));
}

/** The adjective in agreement with the noun, and the Spanish verb. */
export function toPredicateForms(language: Language, adjective: Adjective, noun: Noun): Forms {
  if (language === 'english') return { adjective: adjective.english, adjectives: adjective.english };
  if (language === 'german') return { adjective: adjective.german, adjectives: adjective.german };
  if (language === 'french') {
    const at = isFeminine(noun.one.french) ? 1 : 0;
    return { adjective: adjective.french[at], adjectives: adjective.french[at + 2]! };
  }
  const { verb, one, many } = adjective.spanish;
  const agree = (form: string) => (isFeminine(noun.one.spanish) ? form.replace(/o(?=s?$)/, 'a') : form);
  const [be, bes] = verb === 'ser' ? ['es', 'son'] : ['está', 'están'];
  return { adjective: agree(one), adjectives: agree(many), be: be!, bes: bes! };
}

/** The noun with an indefinite article and an adjective. */
export function toAttributeForms(language: Language, attribute: Attribute, noun: Noun): Forms {
  const [article, ...words] = noun.one[language].split(' ');
  const bare = words.join(' ');
  if (language === 'english') return { a: withArticle(`${attribute.english} ${noun.one.english}`) };
  if (language === 'spanish') {
    const adjective = article === 'una' ? attribute.spanish.replace(/o$/, 'a') : attribute.spanish;
    return { a: `${article} ${bare} ${adjective}`, this: article === 'una' ? 'esta' : 'este' };
  }
  if (language === 'german') return toGermanAttribute(article!, attribute.german, bare);
  const { isBefore, masculine, feminine, vowel } = attribute.french;
  if (!isBefore) return { a: `${article} ${bare} ${article === 'une' ? feminine : masculine}` };
  const form = article === 'une' ? feminine : startsWithVowel(bare) ? vowel : masculine;
  return { a: `${article} ${form} ${bare}` };
}

function toGermanAttribute(article: string, stem: string, noun: string): Forms {
  if (article === 'die') return { a: `eine ${stem}e ${noun}`, aAcc: `eine ${stem}e ${noun}` };
  if (article === 'das') return { a: `ein ${stem}es ${noun}`, aAcc: `ein ${stem}es ${noun}` };
  return { a: `ein ${stem}er ${noun}`, aAcc: `einen ${stem}en ${noun}` };
}

const NOUN_FORMS: Readonly<Record<Language, (one: string, many: string) => Forms>> = {
  english: (one, many) => ({
    the: `the ${one}`,
    a: withArticle(one),
    my: `my ${one}`,
    your: `your ${one}`,
    plural: many,
    thePlural: `the ${many}`,
  }),
  french: toFrenchForms,
  spanish: toSpanishForms,
  german: toGermanForms,
};

function toFrenchForms(one: string, many: string): Forms {
  const [article, bare] = splitArticle(one);
  const elides = startsWithVowel(bare);
  const isFeminine = article === 'une';
  return {
    the: elides ? `l'${bare}` : `${isFeminine ? 'la' : 'le'} ${bare}`,
    a: one,
    ofA: `d'${one}`,
    ofNo: elides ? `d'${bare}` : `de ${bare}`,
    my: `${isFeminine && !elides ? 'ma' : 'mon'} ${bare}`,
    your: `votre ${bare}`,
    plural: many,
    thePlural: `les ${many}`,
    e: isFeminine ? 'e' : '',
  };
}

function toSpanishForms(one: string, many: string): Forms {
  const [article, bare] = splitArticle(one);
  const isFeminine = article === 'una';
  return {
    the: `${isFeminine ? 'la' : 'el'} ${bare}`,
    a: one,
    bare,
    my: `mi ${bare}`,
    your: `su ${bare}`,
    this: isFeminine ? 'esta' : 'este',
    plural: many,
    thePlural: `${isFeminine ? 'las' : 'los'} ${many}`,
    o: isFeminine ? 'a' : 'o',
  };
}

const GERMAN_ENDINGS: Readonly<
  Record<string, { the: string; ein: string; einAcc: string; in: string; zu: string }>
> = {
  der: { the: 'den', ein: '', einAcc: 'en', in: 'im', zu: 'zum' },
  die: { the: 'die', ein: 'e', einAcc: 'e', in: 'in der', zu: 'zur' },
  das: { the: 'das', ein: '', einAcc: '', in: 'im', zu: 'zum' },
};

function toGermanForms(one: string, many: string): Forms {
  const [article, bare] = splitArticle(one);
  const endings = GERMAN_ENDINGS[article]!;
  return {
    the: one,
    theAcc: `${endings.the} ${bare}`,
    a: `ein${endings.ein} ${bare}`,
    aAcc: `ein${endings.einAcc} ${bare}`,
    noAcc: `kein${endings.einAcc} ${bare}`,
    my: `mein${endings.ein} ${bare}`,
    myAcc: `mein${endings.einAcc} ${bare}`,
    your: `Ihr${endings.ein} ${bare}`,
    yourAcc: `Ihr${endings.einAcc} ${bare}`,
    in: `${endings.in} ${bare}`,
    zu: `${endings.zu} ${bare}`,
    plural: many,
    thePlural: `die ${many}`,
  };
}

function splitArticle(noun: string): [article: string, bare: string] {
  const at = noun.indexOf(' ');
  return [noun.slice(0, at), noun.slice(at + 1)];
}

const isFeminine = (noun: string) => /^un[ea] /.test(noun);
const startsWithVowel = (text: string) => /^[aeiouhâàéèêëîïôöùûœ]/i.test(text);
const withArticle = (text: string) => (/^(?:[aeio]|u(?!ni))/.test(text) ? `an ${text}` : `a ${text}`);
