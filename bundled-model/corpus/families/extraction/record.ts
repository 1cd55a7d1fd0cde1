// Asks for JSON: which fields, under which keys, and how the values are written.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import { chooseFields, type Field, makeMore } from '../texts/fields.js';
import { makeKeys } from '../texts/keys.js';
import { makePassage, type Passage } from '../texts/passage.js';
import type { Task } from '../texts/pose-task.js';
import { bareNumber, type Layout, listKeys, nameKeys, type Pair, toJson, toShape } from './json.js';
import {
  JSON_BY_SHAPE,
  JSON_IN_LINE,
  JSON_IN_LINES,
  MISSING_NOTES,
  NUMBER_NOTES,
  STRING_NOTES,
} from './wordings.js';

interface Plan {
  fields: readonly Field[];
  keys: readonly string[];
  /** What the keys mean, if the prompt must explain them. */
  meanings: readonly string[] | undefined;
  /** Whether the value of a field is a bare number. */
  numeric: readonly boolean[];
  /** The JSON for a missing value. */
  empty: string;
  asked: 'in line' | 'in lines' | 'by sample';
  layout: Layout;
}

export function makeRecordTask(draw: Draw, values: Values): Task {
  const first = makePassage(draw, values, { details: draw.pick([1, 1, 2, 2, 3]), least: 2 });
  const fields = chooseFields(draw, first, { most: 4, missing: 0.35 });
  const passages = makeMore(draw, values, first, fields);
  const plan = planRecord(draw, values, fields, passages);
  const rounds = passages.map(passage => ({
    text: passage.text,
    answer: toJson(toPairs(plan, passage), plan.layout),
  }));
  const isIncomplete = passages.some(({ facts }) => fields.some(({ kind }) => facts[kind] === undefined));
  const ask = addNotes(makeAsk(draw, plan), makeNotes(draw, plan, isIncomplete || draw.chance(0.3)));
  const example = rounds.length > 1 ? rounds.pop() : undefined;
  return { ask, slots: makeSlots(draw, plan, draw.pick(first.theme.nouns)), rounds, example };
}

function planRecord(
  draw: Draw,
  values: Values,
  fields: readonly Field[],
  passages: readonly Passage[],
): Plan {
  const { names, areInvented } = makeKeys(draw, values, fields);
  const phrases = fields.map(({ phrase }) => phrase);
  const isPlain = phrases.some(phrase => names.includes(phrase));
  const mayBeNumber = ({ kind }: Field) =>
    (kind === 'count' || kind === 'amount') &&
    passages.every(({ facts }) => facts[kind] === undefined || bareNumber(facts[kind]) !== undefined);
  const asked = draw.pick<Plan['asked']>(['in line', 'in line', 'in lines', 'by sample', 'by sample']);
  return {
    fields,
    keys: names,
    meanings: areInvented || (draw.chance(0.15) && !isPlain) ? phrases : undefined,
    numeric: fields.map(field => mayBeNumber(field) && draw.chance(field.kind === 'count' ? 0.6 : 0.3)),
    empty: draw.chance(0.8) ? 'null' : draw.pick(['""', '"none"', '"unknown"', '"n/a"', '"-"']),
    asked,
    layout: asked === 'by sample' ? draw.pick<Layout>(['spaced', 'spaced', 'compact', 'lines']) : 'spaced',
  };
}

function toPairs({ fields, keys, numeric, empty }: Plan, { facts }: Passage): Pair[] {
  return fields.map(({ kind }, i) => {
    const value = facts[kind];
    if (value === undefined) return [keys[i]!, empty];
    return [keys[i]!, numeric[i] ? bareNumber(value)! : JSON.stringify(value)];
  });
}

const makeAsk = (draw: Draw, { asked }: Plan): string =>
  draw.wording({ 'in line': JSON_IN_LINE, 'in lines': JSON_IN_LINES, 'by sample': JSON_BY_SHAPE }[asked]);

function makeNotes(draw: Draw, { fields, numeric }: Plan, mayMiss: boolean): string[] {
  const hasQuotedCount = fields.some(({ kind }, i) => kind === 'count' && !numeric[i]);
  return [
    ...(mayMiss ? [draw.wording(MISSING_NOTES)] : []),
    ...(numeric.includes(true) ? [draw.wording(NUMBER_NOTES)] : []),
    ...(hasQuotedCount && !numeric.includes(true) ? [draw.wording(STRING_NOTES)] : []),
  ];
}

/** Left out on the last line of a list or an object. */
function addNotes(ask: string, notes: readonly string[]): string {
  return [ask, ...notes].join(/\{(list|shape)\}$/.test(ask) ? '\n' : ' ');
}

function makeSlots(draw: Draw, plan: Plan, noun: string): Record<string, string> {
  const { keys, meanings, numeric, fields } = plan;
  const numbers = keys.filter((_, i) => numeric[i]);
  const count = keys.find((_, i) => fields[i]!.kind === 'count');
  return {
    noun,
    keys: nameKeys(draw, keys, meanings),
    list: listKeys(draw, keys, meanings),
    shape: toShape(draw, plan),
    empty: plan.empty,
    key: numbers.length > 0 ? numbers.join(' and ') : (count ?? ''),
  };
}
