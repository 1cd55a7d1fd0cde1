// What a text may have to hide, and what it is called.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import { type Kind, toKind } from '../texts/kinds.js';
import type { Passage } from '../texts/passage.js';
import data from './targets.json' with { type: 'json' };

const texts = readTexts(data);

export interface Target {
  kinds: readonly Kind[];
  /** Plural nouns for it. */
  words: readonly string[];
  /** Words for a tag. */
  tags: readonly string[];
}

const TARGETS: readonly Target[] = texts.TARGETS.map(target => ({
  ...target,
  kinds: target.kinds.map(toKind),
}));

const PERSONAL: readonly Kind[] = ['name', 'email', 'phone', 'street'];

/** One to three targets, most of them in the passage, or all personal data, which the prompt then spells out. */
export function chooseTargets(draw: Draw, { facts }: Passage): readonly Target[] {
  if (draw.chance(0.2)) return TARGETS.filter(({ kinds }) => PERSONAL.includes(kinds[0]!));
  const isThere = ({ kinds }: Target) => kinds.some(kind => facts[kind] !== undefined);
  const present = draw.sample(TARGETS.filter(isThere), draw.pick([1, 1, 1, 2, 2, 3]));
  const absent = draw.chance(present.length > 1 ? 0.15 : 0.3) || present.length === 0;
  const chosen = absent ? [...present, draw.pick(TARGETS.filter(target => !isThere(target)))] : present;
  // Sometimes there is nothing to hide.
  return absent && draw.chance(0.15) ? chosen.slice(-1) : draw.shuffle(chosen);
}

/** Orders and codes go by the theme's words, such as "booking numbers". */
export function nameTarget(draw: Draw, { kinds, words }: Target, { theme }: Passage): string {
  const [kind] = kinds;
  const special = kind === 'order' || kind === 'code' ? theme.phrases[kind]?.[0] : undefined;
  return special ? `${special}s` : draw.pick(words);
}
