// Yes-or-no questions about a text or a list, answered in the words that the prompt names.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import type { Values } from '../values/index.js';
import { alike, type Facts, type Kind, makeValue, slotsOf } from './texts/kinds.js';
import { isNamedIn, kindsOf, makePassage, type Passage } from './texts/passage.js';
import { phrasesFor } from './texts/phrases.js';
import { poseQuestions } from './texts/pose-questions.js';
import { fillFacts, makeScene, type Scene } from './texts/scene.js';
import { readList } from './yes-no/lists.js';
import { CLAIMS, HAS_KIND, HAS_VALUE, PAIR_NOTES, PAIRS, type Pair } from './yes-no/wordings.js';
import type { YesNoQuestion } from './yes-no/yes-no-question.js';

export const yesNo: Family = {
  name: 'yes-no',
  weight: 1.5,
  score: 'exact',
  make(draw, values) {
    const pair = draw.chance(0.45) ? choosePair(draw, values) : undefined;
    const { text, ask } = draw.weighted(READERS).read(draw, values);
    const questions = Array.from({ length: draw.pick([2, 2, 3]) }, () => {
      const isYes = draw.chance(0.5);
      return { question: ask(isYes), answer: isYes ? (pair?.yes ?? 'Yes.') : (pair?.no ?? 'No.') };
    });
    const isNew = ({ question }: { question: string }, i: number) =>
      questions.findIndex(other => other.question === question) === i;
    const rule = pair ? fill(draw.wording(PAIR_NOTES), { ...pair }) : '';
    return poseQuestions(draw, { text, questions: questions.filter(isNew), rule });
  },
};

function choosePair(draw: Draw, values: Values): Pair {
  if (draw.chance(0.85)) return draw.pick(PAIRS);
  const yes = values.word();
  let no = values.word();
  while (no === yes) no = values.word();
  return { yes, no };
}

const READERS: readonly { weight: number; read(draw: Draw, values: Values): YesNoQuestion }[] = [
  { weight: 5, read: readScene },
  { weight: 2.5, read: readPassage },
  { weight: 2.5, read: readList },
];

function readScene(draw: Draw, values: Values): YesNoQuestion {
  const scene = makeScene(draw, values);
  return { text: scene.text, ask: isYes => askOfScene(draw, values, scene, isYes) };
}

function askOfScene(draw: Draw, values: Values, scene: Scene, isYes: boolean): string {
  const { story, facts } = draw.pick(scene.lines);
  const isClaim = draw.chance(0.35);
  const template = draw.pick(isClaim ? story.claims : story.polar);
  const told = isYes ? facts : falsify(draw, values, scene, facts, slotsOf(template));
  const sentence = fillFacts(template, told);
  return isClaim ? fill(draw.wording(CLAIMS), { claim: sentence }) : sentence;
}

/** Changes one value to that of another sentence, or to a new one if there is none. */
function falsify(draw: Draw, values: Values, scene: Scene, facts: Facts, slots: readonly Kind[]): Facts {
  const kind = draw.pick(slots);
  const elsewhere = scene.lines.flatMap(line => [kind, ...alike(kind)].map(one => line.facts[one]));
  const isMix = kind === 'name' || kind === 'other' || draw.chance(0.5);
  const others = elsewhere.filter(value => value !== undefined && !Object.values(facts).includes(value));
  if (isMix && others.length > 0) return { ...facts, [kind]: draw.pick(others)! };
  return { ...facts, [kind]: makeOther(draw, values, kind, scene.text) };
}

function makeOther(draw: Draw, values: Values, kind: Kind, text: string): string {
  for (;;) {
    const made = makeValue(kind, draw, values);
    const isPerson = kind === 'name' || kind === 'other';
    if (isPerson ? !isNamedIn(text, made) : !text.includes(made)) return made;
  }
}

function readPassage(draw: Draw, values: Values): YesNoQuestion {
  const passage = makePassage(draw, values, { least: 1 });
  const noun = draw.pick(passage.theme.nouns);
  const ask = (isYes: boolean) => {
    const ofKind = draw.chance(0.5) ? askForKind(draw, passage, noun, isYes) : undefined;
    return ofKind ?? askForValue(draw, values, passage, noun, isYes);
  };
  return { text: passage.text, ask };
}

/** About a value in the text, or another value of its kind. */
function askForValue(draw: Draw, values: Values, passage: Passage, noun: string, isYes: boolean): string {
  const kind = draw.pick(kindsOf(passage));
  const value = isYes ? passage.facts[kind]! : makeOther(draw, values, kind, passage.text);
  const [phrase] = phrasesFor(draw, [kind], passage);
  return fill(draw.wording(HAS_VALUE), { value, phrase: phrase!, noun });
}

/** Kinds that cannot be mistaken for another. */
const THINGS: Partial<Record<Kind, readonly string[]>> = {
  email: ['an email address', 'a mail address', 'an email'],
  phone: ['a phone number', 'a telephone number'],
  date: ['a date', 'a calendar date'],
  time: ['a time of day', 'a clock time'],
  amount: ['an amount of money', 'a sum of money'],
  city: ['a city', 'the name of a city'],
  street: ['a street address', 'a street with a house number'],
  name: ['the name of a person', "a person's name"],
};

/** Whether there is a value of a kind. Undefined if the text has none of these kinds, or all. */
function askForKind(draw: Draw, { facts }: Passage, noun: string, isYes: boolean): string | undefined {
  const isThere = (kind: Kind) => facts[kind] !== undefined;
  const fitting = (Object.keys(THINGS) as Kind[]).filter(kind =>
    isYes ? isThere(kind) : ![kind, ...alike(kind)].some(isThere),
  );
  if (fitting.length === 0) return undefined;
  return fill(draw.wording(HAS_KIND), { thing: draw.pick(THINGS[draw.pick(fitting)]!), noun });
}
