// Words for the kinds of values in any text, for questions and for the keys of fields.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import { alike, type Kind } from './kinds.js';
import type { Passage } from './passage.js';
import data from './phrases.json' with { type: 'json' };

const texts = readTexts(data);

const GENERAL: Record<Kind, readonly string[]> = texts.GENERAL;

/** Words for this kind that cannot mean anything else in the passage. */
export function phrasesOf(kind: Kind, passage: Passage): readonly string[] {
  const special = passage.theme.phrases[kind] ?? [];
  const general = GENERAL[kind];
  if (alike(kind).every(other => passage.facts[other] === undefined)) return [...special, ...general];
  return special.length > 0 ? special : general.slice(0, 1);
}

/** Different words for different kinds. */
export function phrasesFor(draw: Draw, kinds: readonly Kind[], passage: Passage): string[] {
  for (;;) {
    const phrases = kinds.map(kind => draw.pick(phrasesOf(kind, passage)));
    if (new Set(phrases).size === phrases.length) return phrases;
  }
}
