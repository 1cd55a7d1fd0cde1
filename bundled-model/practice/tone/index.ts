// Complaints with two answers that say the same about the same thing: a kind one, which is preferred, and a cold one.
import { createDraw, createValues, type Draw, fill, readTexts } from '../../corpus/index.js';
import { createQuestionWriter, type Named } from '../question-writer.js';
import { FIRST_NUMBERS, PARTS, type Side } from '../sides.js';
import { GLOSSARY } from '../translate/glossary.js';
import { CUSTOMERS, DAYS, PROBLEMS, REQUESTS } from '../translate/sentences.js';
import data from './answers.json' with { type: 'json' };

const { SORRY, PROMISES, DEADLINES, COLD, EXCUSES, DELAYS } = readTexts(data);

interface TonePair {
  prompt: string;
  chosen: string;
  rejected: string;
}

/** Whether an answer has the tone of the chosen ones: it apologizes, and promises to help. */
export function isKind(answer: string): boolean {
  return /\bsorry\b/i.test(answer) && /\bwe will\b/i.test(answer);
}

/** The first pairs for this seed, without repeated prompts. */
export function tonePairs(side: Side, count: number, seed: number): TonePair[] {
  const pairs = new Map<string, TonePair>();
  for (let number = FIRST_NUMBERS[side]; pairs.size < count; number++) {
    const pair = makePair(createDraw(PARTS[side], seed, number));
    pairs.set(pair.prompt, pair);
  }
  return [...pairs.values()];
}

function makePair(draw: Draw): TonePair {
  const writer = createQuestionWriter(draw);
  const pick = (words: object) => draw.pick(Object.keys(words));
  const named = {
    thing: pick(GLOSSARY.thing),
    state: pick(GLOSSARY.state),
    action: pick(GLOSSARY.action),
    day: pick(GLOSSARY.day),
    name: createValues(draw).firstName(),
  };
  const [saysDay, saysName] = [draw.chance(0.4), draw.chance(0.3)];
  const asked = [PROBLEMS, REQUESTS, ...(saysDay ? [DAYS] : []), ...(saysName ? [CUSTOMERS] : [])];
  return {
    prompt: asked.map(templates => writer.say(templates, named)).join(' '),
    chosen: answer(draw, named, [SORRY, PROMISES, ...(saysDay ? [DEADLINES] : [])]),
    rejected: answer(draw, named, [COLD, EXCUSES, ...(saysDay ? [DELAYS] : [])]),
  };
}

function answer(draw: Draw, named: Named, parts: readonly (readonly string[])[]): string {
  return parts.map(templates => fill(draw.pick(templates), named)).join(' ');
}
