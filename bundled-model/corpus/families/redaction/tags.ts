// Signs that replace removed values, as named by the prompt.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import data from './tags.json' with { type: 'json' };
import type { Target } from './targets.js';

const { SIGNS } = readTexts(data);

type Wrap = (word: string) => string;

const upper = (word: string) => word.toUpperCase().replaceAll(' ', '_');
const lower = (word: string) => word.replaceAll(' ', '_');

const around =
  (before: string, after = before): Wrap =>
  word =>
    before + word + after;

const WRAPS: readonly Wrap[] = [
  ...[
    around('[', ']'),
    around('[', ']'),
    around('[', ']'),
    around('<', '>'),
    around('<', '>'),
    around('{', '}'),
  ],
  ...[around('(', ')'), around('*'), around('**'), around('_'), around('__'), around('#'), around('##')],
  ...[around('%'), around('@'), around('/'), around('|'), around('«', '»'), around('~'), around('$', '')],
  ...[around(':'), around('{{', '}}'), around('<<', '>>'), around('[[', ']]'), around('<', '/>'), around('')],
  ...[around('"'), around('^'), around('='), around('!'), around('[no ', ']'), around('(', ' removed)')],
  ...[around('[', ' 1]'), around('<x:', '>'), around('--'), around('\\'), around('+'), around('&', ';')],
];

/** A sign for each target, all in one style. */
export function makeTags(draw: Draw, values: Values, targets: readonly Target[]): string[] {
  const wrap = draw.pick(WRAPS);
  const style = wrap('') === '' ? upper : draw.pick([upper, upper, lower]);
  const isInvented = draw.chance(0.15);
  for (;;) {
    const words = targets.map(({ tags }) => (isInvented ? values.word() : draw.pick(tags)));
    if (new Set(words).size === words.length) return words.map(word => wrap(style(word)));
  }
}

/** One sign for everything. */
export function makeSign(draw: Draw, values: Values): string {
  if (draw.chance(0.65)) return draw.pick(SIGNS);
  const wrap = draw.pick(WRAPS);
  return wrap(draw.pick([upper, lower])(values.word()));
}

/** "A. B.", or "AB". */
export const INITIALS: readonly Wrap[] = [
  name =>
    name
      .split(' ')
      .map(word => `${word.charAt(0)}.`)
      .join(' '),
  name =>
    name
      .split(' ')
      .map(word => word.charAt(0))
      .join(''),
  name =>
    name
      .split(' ')
      .map(word => `${word.charAt(0)}.`)
      .join(''),
];
