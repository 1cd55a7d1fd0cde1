// The ways to ask for one fact: openly, for one word, between two, or whether it is so.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import type { Named } from '../../intent.js';
import type { Fact, Topic } from './topic.js';

export interface Question {
  /** Still a template. */
  ask: string;
  named: Named;
  answer: string;
}

/** One fact of the topic, asked for in one of the ways. */
export function askForFact(draw: Draw, topic: Topic): Question {
  const fact = draw.pick(topic.facts);
  const ways = [askOpenly, askOpenly, askOpenly, askForOneWord, askToChoose, askToCheck];
  return draw.pick(ways)(draw, topic, fact);
}

export function askOpenly(draw: Draw, { asks, sentence }: Omit<Topic, 'facts'>, fact: Fact): Question {
  return { ask: draw.wording(asks), named: fact, answer: say(sentence, fact) };
}

const ONE_WORD: readonly string[] = [
  'Answer with one word.',
  'One word, please.',
  'Only the answer, please.',
  'Just the answer.',
  'Give only the answer.',
  'Reply with one word.',
  'Use one word only.',
  'Say it in one word.',
  'No sentence, only the answer.',
  'A single word is enough.',
  'Do not write a sentence.',
  'Answer in a single word.',
];

export function askForOneWord(draw: Draw, topic: Omit<Topic, 'facts'>, fact: Fact): Question {
  if (fact.right.includes(' ')) return askOpenly(draw, topic, fact);
  const ask = `${draw.wording(topic.asks)} ${draw.wording(ONE_WORD)}`;
  return { ask, named: fact, answer: fact.right };
}

const CHOICES: readonly string[] = [
  'Is it {a} or {b}?',
  'Choose: {a} or {b}.',
  'Is the answer {a} or {b}?',
  'Your choices are {a} and {b}.',
  'Pick one: {a} or {b}.',
  'It must be {a} or {b}.',
  'It is either {a} or {b}.',
  'I think that it is {a} or {b}.',
  'Here are two answers: {a}, {b}.',
  'Which is right, {a} or {b}?',
];

function askToChoose(draw: Draw, topic: Topic, fact: Fact): Question {
  const [a, b] = draw.shuffle([fact.right, drawWrong(draw, topic, fact)]) as [string, string];
  const ask = `${draw.wording(topic.asks)} ${draw.wording(CHOICES)}`;
  return { ask, named: { ...fact, a, b }, answer: say(topic.sentence, fact) };
}

const CHECKS: readonly string[] = [
  'Is this right? {claim}',
  'Is it true? {claim}',
  'Tell me if this is right: {claim}',
  '{claim} Is that right?',
  '{claim} Is this correct?',
  '{claim} Yes or no?',
  'Is the following right? {claim}',
  'Someone told me this: {claim} Is it right?',
  'I think so: {claim} Am I right?',
  'Check this for me: {claim}',
  'Can you check this? {claim}',
  'Am I right? {claim}',
];

function askToCheck(draw: Draw, topic: Topic, fact: Fact): Question {
  const isRight = draw.chance(0.5);
  const claim = say(topic.sentence, isRight ? fact : { ...fact, right: drawWrong(draw, topic, fact) });
  const answer = `${isRight ? 'Yes' : 'No'}. ${say(topic.sentence, fact)}`;
  return { ask: draw.wording(CHECKS), named: { claim }, answer };
}

/** What is right of another thing, and not of this one. */
function drawWrong(draw: Draw, { facts }: Topic, { right, ...asked }: Fact): string {
  const isRightToo = (other: Fact) =>
    facts.some(
      fact => fact.right === other.right && Object.keys(asked).every(key => fact[key] === asked[key]),
    );
  return draw.pick(facts.filter(other => !isRightToo(other))).right;
}

function say(sentence: string, fact: Fact): string {
  const said = fill(sentence, fact);
  return said.charAt(0).toUpperCase() + said.slice(1);
}
