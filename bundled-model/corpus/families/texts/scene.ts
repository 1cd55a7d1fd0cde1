// A text of two to four sentences, each about different people, with values that cannot be mixed up.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import type { Values } from '../../values/index.js';
import { type Facts, makeFacts, slotsOf } from './kinds.js';
import { countOf } from './passage.js';
import { FILLERS } from './stories/fillers.js';
import { SENTENCES, type Story, storyOf } from './stories/index.js';

export interface Line {
  story: Story;
  facts: Facts;
}

export interface Scene {
  lines: readonly Line[];
  text: string;
}

export function makeScene(draw: Draw, values: Values, count = draw.pick([1, 2, 2, 2, 3, 3])): Scene {
  const stories = chooseStories(draw, count);
  const filler = draw.chance(0.3) ? [draw.wording(FILLERS)] : [];
  const separator = draw.pick([' ', ' ', ' ', '\n']);
  for (;;) {
    const lines = stories.map(story => ({ story, facts: makeFacts(draw, values, slotsOf(story.sentence)) }));
    const sentences = lines.map(({ story, facts }) => fillFacts(story.sentence, facts));
    const text = draw.shuffle([...sentences, ...filler]).join(separator);
    if (lines.every(line => Object.values(line.facts).every(value => countOf(text, value) === 1)))
      return { lines, text };
  }
}

/** There are few held-out stories, so the same one may be drawn twice. */
function chooseStories(draw: Draw, count: number): Story[] {
  const drawn = Array.from({ length: count }, () => draw.wording(SENTENCES));
  return [...new Set(drawn)].map(storyOf);
}

export const fillFacts = (template: string, facts: Facts): string =>
  fill(template, facts as Record<string, string>);

/** Any story, for questions that the scene does not answer. */
export const drawStory = (draw: Draw): Story => storyOf(draw.wording(SENTENCES));
