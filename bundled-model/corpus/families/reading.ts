// Questions about a short text: who, where, when, how much. The answer is a span of the text, or that the text does not
// say.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import type { Values } from '../values/index.js';
import {
  BY_KIND,
  BY_PHRASE,
  NOT_SAID,
  UNANSWERED,
  UNKNOWN_NOTES,
  UNKNOWNS,
  WHO_WROTE,
} from './reading/questions.js';
import { alike, type Facts, KINDS, type Kind, makeFacts, slotsOf } from './texts/kinds.js';
import { isNamedIn, kindsOf, makePassage, type Passage } from './texts/passage.js';
import { phrasesFor } from './texts/phrases.js';
import { type Asked, poseQuestions } from './texts/pose-questions.js';
import { drawStory, fillFacts, type Line, makeScene, type Scene } from './texts/scene.js';

export const reading: Family = {
  name: 'reading',
  weight: 2.5,
  score: 'exact',
  make(draw, values) {
    const unknown = draw.chance(0.3) ? draw.pick(UNKNOWNS) : undefined;
    const { text, ask } = draw.chance(0.7) ? readScene(draw, values) : readPassage(draw, values);
    const asked = Array.from({ length: draw.pick([2, 2, 3]) }, () => ask(draw.chance(0.2)));
    const questions = withoutRepeats(asked).map(({ question, answer }) => ({
      question,
      answer: answer ?? unknown ?? NOT_SAID,
    }));
    const rule = unknown ? fill(draw.wording(UNKNOWN_NOTES), { unknown }) : '';
    return poseQuestions(draw, { text, questions, rule });
  },
};

/** No answer if the text does not say. */
type Open = Omit<Asked, 'answer'> & { answer: string | undefined };

interface Readable {
  text: string;
  ask(isUnknown: boolean): Open;
}

const withoutRepeats = (asked: readonly Open[]): Open[] =>
  asked.filter(({ question }, i) => asked.findIndex(other => other.question === question) === i);

function readScene(draw: Draw, values: Values): Readable {
  const scene = makeScene(draw, values);
  return {
    text: scene.text,
    ask: isUnknown => (isUnknown ? askUnsaid(draw, values, scene) : askSaid(draw, draw.pick(scene.lines))),
  };
}

function askSaid(draw: Draw, { story, facts }: Line): Open {
  const { kind, text } = draw.pick(story.questions);
  return { question: fillFacts(text, facts), answer: facts[kind] };
}

/** Something the text does not say about a person in it, or about someone who is not in it. */
function askUnsaid(draw: Draw, values: Values, scene: Scene): Open {
  const line = draw.pick(scene.lines);
  const { name } = line.facts;
  if (draw.chance(0.3))
    return { question: fill(draw.wording(UNANSWERED), { name: name! }), answer: undefined };
  for (;;) {
    const question = draw.pick(drawStory(draw).questions);
    if (!question.text.includes('{name}')) continue;
    const isStranger = draw.chance(0.4);
    if (!isStranger && !isUntold(question.kind, line.facts)) continue;
    const facts = makeFacts(draw, values, slotsOf(question.text));
    if (!isStranger) facts.name = name!;
    if (isStranger && isNamedIn(scene.text, facts.name!)) continue;
    return { question: fillFacts(question.text, facts), answer: undefined };
  }
}

const isUntold = (kind: Kind, facts: Facts) =>
  [kind, ...alike(kind)].every(one => facts[one] === undefined || one === 'name');

function readPassage(draw: Draw, values: Values): Readable {
  const passage = makePassage(draw, values, { least: 1 });
  const slots = { noun: draw.pick(passage.theme.nouns) };
  const ask = (kind: Kind): Open => ({
    question: fill(toQuestion(draw, kind, passage), {
      ...slots,
      phrase: phrasesFor(draw, [kind], passage)[0]!,
    }),
    answer: passage.facts[kind],
  });
  const absent = KINDS.filter(kind => BY_KIND[kind] && isUntold(kind, passage.facts));
  return { text: passage.text, ask: isUnknown => ask(draw.pick(isUnknown ? absent : kindsOf(passage))) };
}

/** General questions only if they can mean just one thing in the text. */
function toQuestion(draw: Draw, kind: Kind, { theme, facts }: Passage): string {
  if (kind === 'name' && theme.voice === 'first' && draw.chance(0.7)) return draw.wording(WHO_WROTE);
  const general = alike(kind).every(other => facts[other] === undefined) ? BY_KIND[kind] : undefined;
  return draw.wording(general && draw.chance(0.7) ? general : BY_PHRASE);
}
