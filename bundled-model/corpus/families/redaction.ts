// Replacing some values of a text with signs that the prompt names, and repeating the rest exactly.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import type { Values } from '../values/index.js';
import { INITIALS, makeSign, makeTags } from './redaction/tags.js';
import { chooseTargets, nameTarget, type Target } from './redaction/targets.js';
import {
  BY_INITIALS,
  BY_NUMBER,
  BY_VALUE,
  MANY_SIGNS,
  MANY_SIGNS_IN_LINES,
  ONE_SIGN,
} from './redaction/wordings.js';
import { type Facts, type Kind, makeValue } from './texts/kinds.js';
import { kindsOf, makePassage, type Passage } from './texts/passage.js';
import { poseTask } from './texts/pose-task.js';

export const redaction: Family = {
  name: 'redaction',
  weight: 6,
  score: 'exact',
  make(draw, values) {
    const { ask, slots, passages, replace } = draftRedaction(draw, values);
    const rounds = passages.map(passage => ({
      text: passage.text,
      answer: redact(passage, replace(passage)),
    }));
    const example = rounds.length > 1 ? rounds.pop() : undefined;
    return poseTask(draw, {
      ask,
      slots: { noun: draw.pick(passages[0]!.theme.nouns), ...slots },
      rounds,
      example,
    });
  },
};

interface Redaction {
  ask: string;
  slots: Record<string, string>;
  /** At least one. */
  passages: readonly Passage[];
  /** The replacement for each value. */
  replace(passage: Passage): Facts;
}

export const redact = ({ template, facts }: Passage, replaced: Facts): string =>
  fill(template, { ...facts, ...replaced } as Record<string, string>);

/** Everything except the layout of the conversation. */
export function draftRedaction(draw: Draw, values: Values): Redaction {
  return draw.weighted(DRAFTS).make(draw, values);
}

const DRAFTS: readonly { weight: number; make(draw: Draw, values: Values): Redaction }[] = [
  { weight: 4, make: draftOneSign },
  { weight: 4, make: draftManySigns },
  { weight: 1, make: draftInitials },
  { weight: 1, make: draftNumbers },
  { weight: 2, make: draftSwaps },
];

/** Share of texts with words that only copying gets right. */
const UNGUESSABLE = 0.6;

function makePassages(draw: Draw, values: Values, needed?: Kind): [Passage, ...Passage[]] {
  const make = () => makePassage(draw, values, { least: 1, unguessable: UNGUESSABLE });
  let first = make();
  while (needed && first.facts[needed] === undefined) first = make();
  const { theme } = first;
  return [
    first,
    makePassage(draw, values, { theme, details: 1, unguessable: UNGUESSABLE }),
    makePassage(draw, values, { theme, details: 0, bare: true, unguessable: UNGUESSABLE }),
  ];
}

const onlyPresent = (kinds: readonly Kind[], { facts }: Passage) =>
  kinds.filter(kind => facts[kind] !== undefined);

function draftOneSign(draw: Draw, values: Values): Redaction {
  const passages = makePassages(draw, values);
  const targets = chooseTargets(draw, passages[0]);
  const sign = makeSign(draw, values);
  const names = targets.map(target => nameTarget(draw, target, passages[0]));
  const kinds = targets.flatMap(target => target.kinds);
  return {
    ask: draw.wording(ONE_SIGN),
    slots: { targets: joinWords(names), sign },
    passages,
    replace: passage => Object.fromEntries(onlyPresent(kinds, passage).map(kind => [kind, sign])),
  };
}

const joinWords = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

type Pairing = (what: string, sign: string) => string;
const PAIRINGS: readonly Pairing[] = [
  (what, sign) => `${what} with ${sign}`,
  (what, sign) => `${what} by ${sign}`,
  (what, sign) => `${what} -> ${sign}`,
  (what, sign) => `${what} = ${sign}`,
  (what, sign) => `${what}: ${sign}`,
  (what, sign) => `${what} => ${sign}`,
];

function draftManySigns(draw: Draw, values: Values): Redaction {
  const passages = makePassages(draw, values);
  const targets = chooseTargets(draw, passages[0]);
  const tags = makeTags(draw, values, targets);
  const pairing = draw.pick(PAIRINGS);
  const pairs = targets.map((target, i) => pairing(nameTarget(draw, target, passages[0]), tags[i]!));
  const bullet = draw.pick(['- ', '* ', '', '• ']);
  return {
    ask: draw.wording(draw.chance(0.3) ? MANY_SIGNS_IN_LINES : MANY_SIGNS),
    slots: { pairs: joinWords(pairs), lines: pairs.map(pair => bullet + pair).join('\n') },
    passages,
    replace: passage => tagsOf(passage, targets, tags),
  };
}

const tagsOf = (passage: Passage, targets: readonly Target[], tags: readonly string[]): Facts =>
  Object.fromEntries(
    targets.flatMap(({ kinds }, i) => onlyPresent(kinds, passage).map(kind => [kind, tags[i]!])),
  );

const PEOPLE: readonly Kind[] = ['name', 'other'];

function draftInitials(draw: Draw, values: Values): Redaction {
  const shorten = draw.pick(INITIALS);
  return {
    ask: draw.wording(BY_INITIALS),
    slots: { sample: `"${shorten('A B')}"` },
    passages: makePassages(draw, values, draw.pick(PEOPLE)),
    replace: passage =>
      Object.fromEntries(onlyPresent(PEOPLE, passage).map(kind => [kind, shorten(passage.facts[kind]!)])),
  };
}

function draftNumbers(draw: Draw, values: Values): Redaction {
  const [tag] = makeTags(draw, values, [
    { kinds: PEOPLE, words: [], tags: ['name', 'person', 'p', 'n', 'human'] },
  ]);
  const toTag = (at: number) => tag!.replace(/(\p{L})(\P{L}*)$/u, `$1${at + 1}$2`);
  const inOrder = (passage: Passage) => kindsOf(passage).filter(kind => PEOPLE.includes(kind));
  return {
    ask: draw.wording(BY_NUMBER),
    slots: { one: toTag(0), two: toTag(1) },
    passages: makePassages(draw, values, 'other'),
    replace: passage => Object.fromEntries(inOrder(passage).map((kind, at) => [kind, toTag(at)])),
  };
}

const SWAPS: readonly Pairing[] = [
  (from, to) => `${from} to ${to}`,
  (from, to) => `"${from}" to "${to}"`,
  (from, to) => `${from} -> ${to}`,
  (from, to) => `"${from}" becomes "${to}"`,
  (from, to) => `${to} instead of ${from}`,
  (from, to) => `${from} => ${to}`,
];

/** Replaces specific values with others, so further texts would have nothing to replace. */
function draftSwaps(draw: Draw, values: Values): Redaction {
  const passage = makePassage(draw, values, { least: 1, unguessable: UNGUESSABLE });
  const kinds = draw.sample(kindsOf(passage), draw.pick([1, 1, 2]));
  const changed: Facts = {};
  for (const kind of kinds)
    changed[kind] = draw.chance(0.75) ? makeValue(kind, draw, values) : makeSign(draw, values);
  const pairing = draw.pick(SWAPS);
  const swaps = joinWords(kinds.map(kind => pairing(passage.facts[kind]!, changed[kind]!)));
  return { ask: draw.wording(BY_VALUE), slots: { swaps }, passages: [passage], replace: () => changed };
}
