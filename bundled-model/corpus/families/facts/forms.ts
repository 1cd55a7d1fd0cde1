// The ways to ask for one fact: open, one word, a choice of two, or yes or no.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import type { Named } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './forms.json' with { type: 'json' };
import type { Fact, Topic } from './topic.js';

const { ONE_WORD, CHOICES, CHECKS } = readTexts(data);

export interface Question {
  /** Still a template. */
  ask: string;
  named: Named;
  answer: string;
}

/** One fact of the topic, asked in one of these ways. */
export function askForFact(draw: Draw, topic: Topic): Question {
  const fact = draw.pick(topic.facts);
  const ways = [askOpenly, askOpenly, askOpenly, askForOneWord, askToChoose, askToCheck];
  return draw.pick(ways)(draw, topic, fact);
}

export function askOpenly(draw: Draw, { asks, sentence }: Omit<Topic, 'facts'>, fact: Fact): Question {
  return { ask: draw.wording(asks), named: fact, answer: say(sentence, fact) };
}

export function askForOneWord(draw: Draw, topic: Omit<Topic, 'facts'>, fact: Fact): Question {
  if (fact.right.includes(' ')) return askOpenly(draw, topic, fact);
  const ask = `${draw.wording(topic.asks)} ${draw.wording(ONE_WORD)}`;
  return { ask, named: fact, answer: fact.right };
}

function askToChoose(draw: Draw, topic: Topic, fact: Fact): Question {
  const [a, b] = draw.shuffle([fact.right, drawWrong(draw, topic, fact)]) as [string, string];
  const ask = `${draw.wording(topic.asks)} ${draw.wording(CHOICES)}`;
  return { ask, named: { ...fact, a, b }, answer: say(topic.sentence, fact) };
}

function askToCheck(draw: Draw, topic: Topic, fact: Fact): Question {
  const isRight = draw.chance(0.5);
  const claim = say(topic.sentence, isRight ? fact : { ...fact, right: drawWrong(draw, topic, fact) });
  const answer = `${isRight ? 'Yes' : 'No'}. ${say(topic.sentence, fact)}`;
  return { ask: draw.wording(CHECKS), named: { claim }, answer };
}

/** An answer that is right for another thing but wrong for this one. */
function drawWrong(draw: Draw, { facts }: Topic, { right, ...asked }: Fact): string {
  const isRightToo = (other: Fact) =>
    facts.some(
      fact => fact.right === other.right && Object.keys(asked).every(key => fact[key] === asked[key]),
    );
  return draw.pick(facts.filter(other => !isRightToo(other))).right;
}

function say(sentence: string, fact: Fact): string {
  const statement = fill(sentence, fact);
  return statement.charAt(0).toUpperCase() + statement.slice(1);
}
