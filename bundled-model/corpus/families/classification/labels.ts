// Labels that the model has to read from the prompt: names in different cases, or codes that stand for names.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';

export interface Label {
  /** As shown in the list. */
  shown: string;
  /** The answer. */
  answer: string;
}

export interface LabelSet {
  labels: Label[];
  /** A word for the answer: "label", "code", "letter". */
  word: string;
  isCoded: boolean;
}

export function makeLabels(draw: Draw, values: Values, names: readonly string[]): LabelSet {
  const styled = restyle(draw, names);
  if (draw.chance(0.3)) return codeLabels(draw, values, styled);
  return { labels: styled.map(name => ({ shown: name, answer: name })), word: 'label', isCoded: false };
}

type Style = (name: string) => string;

const capitalize: Style = name => name.charAt(0).toUpperCase() + name.slice(1);
const plain: Style = name => name;

const STYLES: readonly Style[] = [
  plain,
  plain,
  plain,
  plain,
  plain,
  capitalize,
  capitalize,
  name => name.split(' ').map(capitalize).join(' '),
  name => name.toUpperCase(),
  name => name.replaceAll(' ', '_'),
  name => name.replaceAll(' ', '-'),
  name => name.toUpperCase().replaceAll(' ', '_'),
  name => name.split(' ').map(capitalize).join(''),
  name => `#${name.replaceAll(' ', '')}`,
  name => `[${name}]`,
  name => `@${name.replaceAll(' ', '-')}`,
  name => `cat_${name.replaceAll(' ', '_')}`,
  name => `t:${name.replaceAll(' ', '-')}`,
];

/** Signs such as "+" have no case, and two letters say too little, so both stay. */
const restyle = (draw: Draw, names: readonly string[]): string[] =>
  names.map(names.some(name => name.length < 3) ? plain : draw.pick(STYLES));

interface Coding {
  word: string;
  codes(draw: Draw, values: Values, count: number): string[];
}

const CODINGS: readonly Coding[] = [
  { word: 'letter', codes: (_, __, count) => [...'ABCDEFGH'].slice(0, count) },
  { word: 'letter', codes: (_, __, count) => [...'abcdefgh'].slice(0, count) },
  { word: 'number', codes: (_, __, count) => Array.from({ length: count }, (_, i) => String(i + 1)) },
  {
    word: 'number',
    codes: (draw, _, count) =>
      draw.sample(
        Array.from({ length: 90 }, (_, i) => String(i + 10)),
        count,
      ),
  },
  { word: 'letter', codes: (draw, _, count) => draw.sample([...'ABCDEFGHJKLMNPQRSTUVWXYZ'], count) },
  {
    word: 'code',
    codes: (draw, _, count) => {
      const prefix = draw.pick([
        'Q',
        'T',
        'C',
        'L',
        'K-',
        'cat',
        'x',
        'D0',
        'R-',
        'type',
        'G',
        'M',
        'case ',
        'S',
      ]);
      return Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
    },
  },
  { word: 'code', codes: (_, values, count) => Array.from({ length: count }, values.word) },
  { word: 'word', codes: (_, values, count) => Array.from({ length: count }, values.word) },
  { word: 'code', codes: (_, values, count) => Array.from({ length: count }, values.code) },
  { word: 'name', codes: (_, values, count) => Array.from({ length: count }, values.firstName) },
];

const PAIRS: readonly ((code: string, name: string) => string)[] = [
  (code, name) => `${code} = ${name}`,
  (code, name) => `${code}: ${name}`,
  (code, name) => `${code}) ${name}`,
  (code, name) => `${code} (${name})`,
  (code, name) => `${code} -> ${name}`,
  (code, name) => `${name} = ${code}`,
  (code, name) => `${code} for ${name}`,
  (code, name) => `${code} means ${name}`,
  (code, name) => `${name} -> ${code}`,
  (code, name) => `${code} - ${name}`,
];

function codeLabels(draw: Draw, values: Values, names: readonly string[]): LabelSet {
  const { word, codes } = draw.pick(CODINGS);
  const pair = draw.pick(PAIRS);
  for (;;) {
    const drawn = codes(draw, values, names.length);
    if (new Set(drawn).size < drawn.length) continue;
    const labels = names.map((name, i) => ({ shown: pair(drawn[i]!, name), answer: drawn[i]! }));
    return { labels, word, isCoded: true };
  }
}

/** On one line, after "one of". */
export function joinLabels(draw: Draw, { labels, isCoded }: LabelSet): string {
  const shown = labels.map(label => label.shown);
  const join = draw.pick(isCoded ? CODE_JOINS : JOINS);
  return join(shown);
}

const withLast = (list: readonly string[], last: string) =>
  `${list.slice(0, -1).join(', ')} ${last} ${list.at(-1)}`;

const CODE_JOINS: readonly ((list: readonly string[]) => string)[] = [
  list => list.join(', '),
  list => list.join('; '),
  list => list.join(' | '),
];

const JOINS: readonly ((list: readonly string[]) => string)[] = [
  ...CODE_JOINS,
  list => withLast(list, 'or'),
  list => withLast(list, 'or'),
  list => list.join(' / '),
  list => list.join('/'),
  list => `"${list.join('", "')}"`,
  list => `[${list.join(', ')}]`,
  list => `(${list.join(', ')})`,
  list => `{${list.join(', ')}}`,
  list => list.map(name => `"${name}"`).join(' or '),
];

const BULLETS: readonly ((name: string, at: number) => string)[] = [
  name => `- ${name}`,
  name => `* ${name}`,
  name => name,
  name => `• ${name}`,
];

/** One per line. Numbers only before names, because codes can be numbers themselves. */
export function listLabels(draw: Draw, { labels, isCoded }: LabelSet): string {
  const numbered = (name: string, at: number) => `${at + 1}. ${name}`;
  const bullet = draw.pick(isCoded ? BULLETS : [...BULLETS, numbered]);
  return labels.map((label, i) => bullet(label.shown, i)).join('\n');
}
