// Words and notations that the prompt defines. The model applies them whatever it has learned elsewhere.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import { nameAll } from '../intent.js';
import type { Values } from '../values/index.js';
import { ask, type Case, type Task } from './asking/ask.js';
import { drawAdjective, drawDistinct, drawNoun, SLOTS } from './asking/content.js';
import { makeUnguessable } from './asking/unguessable.js';
import { NOTATIONS, type Notation } from './glossary/notation.js';
import { RULE_TEXTS, TERM_TEXTS } from './glossary/texts.js';
import * as wordings from './glossary/wordings.js';
import { drawForeign } from './translation/foreign.js';

type Exercise = (draw: Draw, values: Values) => Task;
type Pairs = [from: string, to: string][];

const SIGNS = [...'*+#@%&~^/$OXYZ123456789'];

/** Distinct words, each with its replacement. */
function drawPairs(draw: Draw, values: Values, count: number): Pairs {
  if (draw.chance(0.25)) return drawForeign(draw, count);
  const [left, right] = draw.pick([
    [() => drawNoun(draw), values.word],
    [() => drawNoun(draw), values.word],
    [values.word, () => drawNoun(draw)],
    [() => drawNoun(draw), () => drawNoun(draw)],
    [() => drawNoun(draw), values.code],
    [() => drawNoun(draw), values.orderNumber],
    [() => drawNoun(draw), () => `${drawAdjective(draw)} ${drawNoun(draw)}`],
  ] as const);
  const words = drawDistinct(count * 2, () => left());
  const others = new Set(words);
  const targets = drawDistinct(count, () => {
    for (;;) {
      const made = right();
      if (!made.split(' ').some(word => others.has(word))) return made;
    }
  });
  return targets.map((target, i) => [words[i]!, target]);
}

/** Starts with its own space or line break. */
function writeGlossary(draw: Draw, pairs: Pairs): string {
  const [is, between] = draw.pick([
    [' = ', '; '],
    [' = ', ', '],
    [' -> ', ', '],
    [': ', '; '],
    [' => ', '; '],
    [' = ', '\n'],
    [': ', '\n'],
    [' -> ', '\n'],
    [' means ', '\n'],
    [' is ', ', '],
  ] as const);
  const written = pairs.map(([from, to]) => from + is + to).join(between);
  return between === '\n' ? `\n${written}` : ` ${written}${draw.chance(0.3) ? '.' : ''}`;
}

/** The list has some words of the sentence. */
const terms: Exercise = (draw, values) => {
  const pairs = drawPairs(draw, values, draw.integer(2, 5));
  const slots = { glossary: writeGlossary(draw, pairs) };
  return { instructions: wordings.TERMS, slots, next: () => drawText(draw, values, pairs) };
};

const instead: Exercise = (draw, values) => {
  const [pair] = drawPairs(draw, values, 1) as [Pairs[number]];
  const slots = { from: pair[0], to: pair[1] };
  return { instructions: wordings.INSTEAD, slots, next: () => drawText(draw, values, [pair]) };
};

/** Terms of the text that are not on the list stay. */
function drawText(draw: Draw, values: Values, pairs: Pairs): Case {
  const plain = draw.wording(TERM_TEXTS);
  const template = draw.chance(0.4) ? makeStrangeWithout(draw, values, plain, pairs.flat()) : plain;
  const listed = draw.shuffle(pairs);
  const taken = new Set(pairs.flat());
  const others = drawDistinct(4, () => drawNoun(draw)).filter(word => !taken.has(word));
  const chosen: Pairs = [...listed, ...others.map(word => [word, word] as Pairs[number])];
  const toTerms = (side: 0 | 1) => ({ a: chosen[0]![side], b: chosen[1]![side], c: chosen[2]![side] });
  const named = nameAll(template, draw, values, SLOTS, toTerms(0));
  return { input: fill(template, named), answer: fill(template, { ...named, ...toTerms(1) }) };
}

/** None of its new words may be a term. */
function makeStrangeWithout(draw: Draw, values: Values, template: string, terms: readonly string[]): string {
  for (;;) {
    const unguessable = makeUnguessable(draw, values, template);
    const words = unguessable
      .replace(/\{\w+\}/g, '')
      .toLowerCase()
      .split(/[^a-z]+/);
    if (!terms.some(term => words.includes(term.toLowerCase()))) return unguessable;
  }
}

/** The list has every word. */
const wordByWord: Exercise = (draw, values) => {
  const pairs = drawPairs(draw, values, draw.integer(3, 6));
  const signs = draw.sample(SIGNS, pairs.length);
  const mapped: Pairs = draw.chance(0.25) ? pairs.map(([word], i) => [word, signs[i]!]) : pairs;
  const next = () => {
    const words = Array.from({ length: draw.integer(1, 5) }, () => draw.pick(mapped));
    return { input: words.map(([from]) => from).join(' '), answer: words.map(([, to]) => to).join(' ') };
  };
  return { instructions: wordings.WORD_BY_WORD, slots: { glossary: writeGlossary(draw, mapped) }, next };
};

const KEYS = [
  ['1', '2', '3', '4', '5'],
  ['A', 'B', 'C', 'D', 'E'],
  ['01', '02', '03', '04', '05'],
  ['a', 'b', 'c', 'd', 'e'],
];

const codes: Exercise = (draw, values) => {
  const count = draw.integer(2, 5);
  const keys = draw.chance(0.5) ? draw.pick(KEYS).slice(0, count) : drawDistinct(count, values.code);
  const word = draw.pick([() => drawAdjective(draw), () => drawNoun(draw), values.word]);
  const meanings = drawDistinct(count, word);
  const pairs: Pairs = keys.map((key, i) => [key, meanings[i]!]);
  const isBack = draw.chance(0.4);
  const next = () => {
    const [key, meaning] = draw.pick(pairs);
    return isBack ? { input: meaning, answer: key } : { input: key, answer: meaning };
  };
  const slots = { glossary: writeGlossary(draw, pairs) };
  return { instructions: isBack ? wordings.ENCODE : wordings.CODES, slots, next };
};

/** Rules for most values in the text, and sometimes one that it does not need. */
const notation: Exercise = (draw, values) => {
  const template = draw.wording(RULE_TEXTS);
  const kinds = Object.keys(NOTATIONS);
  const [first, ...others] = draw.shuffle(kinds.filter(kind => template.includes(`{${kind}}`)));
  const ruled = new Set([first!, ...others.filter(() => draw.chance(0.7))]);
  if (draw.chance(0.2)) ruled.add(draw.pick(kinds));
  const forms = new Map([...ruled].map(kind => [kind, draw.pick(NOTATIONS[kind]!.forms)]));
  const rules = draw.shuffle([...ruled]).map(kind => writeRule(draw, NOTATIONS[kind]!, forms.get(kind)!));
  const next = () => {
    const named = nameAll(template, draw, values, NOTATION_SLOTS);
    const changed = Object.entries(named).map(([kind, value]) => [kind, forms.get(kind)?.(value) ?? value]);
    return { input: fill(template, named), answer: fill(template, Object.fromEntries(changed)) };
  };
  return { instructions: wordings.BY_RULES, slots: { rules: rules.join(' ') }, next };
};

function writeRule(draw: Draw, { kind, example }: Notation, toForm: (value: string) => string): string {
  const rule = fill(draw.wording(wordings.RULES), { kind, from: example, to: toForm(example) });
  return rule[0]!.toUpperCase() + rule.slice(1);
}

const NOTATION_SLOTS = Object.fromEntries(Object.entries(NOTATIONS).map(([slot, { draw }]) => [slot, draw]));

const DECK: readonly Exercise[] = [
  terms,
  terms,
  terms,
  wordByWord,
  wordByWord,
  codes,
  instead,
  notation,
  notation,
  notation,
];

export const glossary: Family = {
  name: 'glossary',
  weight: 3,
  score: 'exact',
  make: (draw, values) => ask(draw, draw.pick(DECK)(draw, values)),
};
