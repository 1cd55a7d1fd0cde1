// Saying the same thing differently: more politely, shorter, in another tone, tense or form. Each kind of instruction
// has one right form, so that the tiny model learns a rule and not a taste.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import { nameAll } from '../intent.js';
import type { Values } from '../values/index.js';
import { ask, type Case, type Task } from './asking/ask.js';
import { drawSentence, SLOTS, toArticles } from './asking/content.js';
import * as grammar from './rewriting/grammar.js';
import {
  LONG,
  MANNERS,
  type Manner,
  PLAIN,
  ROUGH,
  TARGETS,
  VERB_PHRASES,
  WHENS,
} from './rewriting/requests.js';
import * as sentences from './rewriting/sentences.js';
import { STATEMENTS, TONES, type Tone } from './rewriting/statements.js';
import { change, toPresent, VERBS } from './rewriting/verbs.js';

type Exercise = (draw: Draw, values: Values) => Task;

const capitalize = (text: string) => text[0]!.toUpperCase() + text.slice(1);

const keysOf = <T extends string>(table: Readonly<Record<T, unknown>>) => Object.keys(table) as T[];

const SOURCES: Readonly<Record<Manner, readonly (readonly string[])[]>> = {
  polite: [ROUGH, ROUGH, PLAIN],
  short: [LONG],
  formal: [ROUGH, PLAIN, PLAIN],
  friendly: [ROUGH, PLAIN, LONG],
  question: [ROUGH, LONG],
  wish: [ROUGH, PLAIN],
};

const MANNER_DECK: readonly Manner[] = [
  ...(['polite', 'polite', 'polite', 'short', 'short', 'short'] as const),
  ...(['formal', 'formal', 'friendly', 'friendly', 'question', 'wish'] as const),
];

/** A request in another manner. */
const request: Exercise = (draw, values) => {
  const manner = draw.pick(MANNER_DECK);
  const next = () => {
    const when = draw.chance(0.35) ? ` ${draw.wording(WHENS)}` : '';
    const template = draw.wording(VERB_PHRASES) + when;
    const vp = toArticles(fill(template, nameAll(template, draw, values, SLOTS)));
    const slots = { vp, Vp: capitalize(vp) };
    return { input: fill(drawSource(draw, manner), slots), answer: fill(TARGETS[manner], slots) };
  };
  return { instructions: MANNERS[manner], next };
};

/** Never the form that the task asks for. */
function drawSource(draw: Draw, manner: Manner): string {
  for (;;) {
    const source = draw.wording(draw.pick(SOURCES[manner]));
    if (source !== TARGETS[manner]) return source;
  }
}

const TONE_SOURCES = {
  plain: ['casual', 'formal'],
  formal: ['plain', 'casual'],
  friendly: ['plain', 'formal'],
} as const;

/** A statement in another tone. */
const statement: Exercise = (draw, values) => {
  const tone = draw.pick(keysOf<Tone>(TONES));
  const next = () => {
    const row = draw.wording(STATEMENTS);
    const named = nameAll(row, draw, values, SLOTS);
    const [plain, casual, formal, friendly] = row.split(' | ').map(text => fill(text, named)) as [
      string,
      string,
      string,
      string,
    ];
    const tones = { plain, casual, formal, friendly };
    return { input: tones[draw.pick(TONE_SOURCES[tone])], answer: tones[tone] };
  };
  return { instructions: TONES[tone], next };
};

/** A sentence in another tense, form or person. */
const tense: Exercise = (draw, values) => {
  const wanted = draw.pick(keysOf<grammar.Change>(grammar.CHANGES));
  const name = values.firstName();
  const next = (): Case => {
    const subject =
      wanted === 'person' ? 'I' : draw.pick(['I', 'We', 'They', values.firstName(), values.firstName()]);
    const verb = draw.pick(VERBS);
    const clause = { subject, verb, object: drawSentence(draw, values, grammar.OBJECTS) };
    if (wanted === 'passive')
      return { input: change(clause, 'past', name), answer: change(clause, wanted, name) };
    if (wanted === 'present') {
      const from = draw.pick(['past', 'future', 'running'] as const);
      return { input: change(clause, from, name), answer: toPresent(clause) };
    }
    return { input: toPresent(clause), answer: change(clause, wanted, name) };
  };
  return { instructions: grammar.CHANGES[wanted], slots: { name }, next };
};

const contraction: Exercise = (draw, values) => {
  const isFull = draw.chance(0.5);
  const next = () => {
    const row = draw.wording(sentences.CONTRACTIONS);
    const filled = toArticles(fill(row, nameAll(row, draw, values, SLOTS)));
    const [full, short] = filled.split(' | ') as [string, string];
    return isFull ? { input: short, answer: full } : { input: full, answer: short };
  };
  return { instructions: isFull ? sentences.IN_FULL : sentences.DRAWN_TOGETHER, next };
};

const joining: Exercise = (draw, values) => {
  const word = draw.pick(['and', 'but', 'because', 'so', 'although', 'while']);
  const next = () => {
    const first = capitalize(drawSentence(draw, values, sentences.FACTS));
    const second = drawSentence(draw, values, sentences.FACTS);
    return { input: `${first}. ${capitalize(second)}.`, answer: `${first} ${word} ${second}.` };
  };
  return { instructions: sentences.JOIN, slots: { word }, next };
};

const report: Exercise = (draw, values) => {
  const says = draw.pick(['says', 'thinks', 'writes', 'told us']);
  const next = () => {
    const fact = drawSentence(draw, values, sentences.FACTS);
    const name = values.firstName();
    return { input: `${name} ${says}: "${capitalize(fact)}."`, answer: `${name} ${says} that ${fact}.` };
  };
  return { instructions: sentences.REPORT, next };
};

const DECK: readonly Exercise[] = [
  ...[request, request, request, request, request, request, statement, statement, statement],
  ...[tense, tense, tense, tense, contraction, joining, report],
];

export const rewriting: Family = {
  name: 'rewriting',
  weight: 1.5,
  score: 'tokens',
  make: (draw, values) => ask(draw, draw.pick(DECK)(draw, values)),
};
