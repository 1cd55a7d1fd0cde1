// Short sentences about people, with questions about them.

import type { Kind } from '../kinds.js';
import { BUYING } from './buying.js';
import { DOINGS } from './doings.js';
import { JOURNEYS } from './journeys.js';
import { LIVING } from './living.js';
import { WORKING } from './working.js';

interface Question {
  /** The kind of the value that is the answer. */
  kind: Kind;
  text: string;
}

export interface Story {
  sentence: string;
  questions: readonly Question[];
  /** Questions that get a yes with the values of the sentence. */
  polar: readonly string[];
  /** Statements that are true with the values of the sentence. */
  claims: readonly string[];
}

const byMark = (lines: readonly string[], isWanted: (mark: string) => boolean) =>
  lines.flatMap(line => {
    const [mark, text] = line.split(/\? (.*)/) as [string, string];
    return isWanted(mark) ? [{ mark, text }] : [];
  });

function toStory([sentence, ...lines]: readonly string[]): Story {
  return {
    sentence: sentence!,
    questions: byMark(lines, mark => mark !== 'yes' && mark !== 'claim').map(({ mark, text }) => ({
      kind: mark as Kind,
      text,
    })),
    polar: byMark(lines, mark => mark === 'yes').map(({ text }) => text),
    claims: byMark(lines, mark => mark === 'claim').map(({ text }) => text),
  };
}

const stories = [...JOURNEYS, ...BUYING, ...WORKING, ...LIVING, ...DOINGS].map(toStory);
const bySentence = new Map(stories.map(story => [story.sentence, story]));

/** For `Draw.wording`. */
export const SENTENCES: readonly string[] = [...bySentence.keys()];

export const storyOf = (sentence: string): Story => bySentence.get(sentence)!;
