// Very short stories, titles and two-line poems.
import type { Draw } from '../../draw.js';
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './stories.json' with { type: 'json' };
import type { Wanted } from './wanted.js';

const texts = readTexts(data);

const { POEM_ASKS } = texts;

const POEMS: Readonly<Record<string, string>> = texts.POEMS;
export const STORIES: readonly Intent[] = Object.values(texts.STORIES);

export function drawPoem(draw: Draw): Wanted {
  const theme = draw.pick(Object.keys(POEMS));
  return { intent: { asks: POEM_ASKS, answers: [POEMS[theme]!] }, named: { theme } };
}
