// Pairs of an English noun and its translation, for glossaries.
import type { Draw } from '../../draw.js';
import { NOUNS } from './lexicon.js';

const FOREIGN = (['french', 'spanish', 'german'] as const).map(language =>
  NOUNS.map(({ one }) => `${one.english} = ${one[language].replace(/^\S+ /, '')}`),
);

/** Distinct pairs, all in one language, each English word once. */
export function drawForeign(draw: Draw, count: number): [english: string, foreign: string][] {
  const pairs = draw.pick(FOREIGN);
  const found = new Set<string>();
  while (found.size < count) found.add(draw.value(pairs));
  return [...found].map(pair => pair.split(' = ') as [string, string]);
}
