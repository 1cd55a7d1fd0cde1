// Plain words to fill sentences with. They change from row to row, so that the words around a value reveal nothing
// about it. Both sides use them, but never in the same frames.
import { readTexts } from '../../corpus/index.js';
import data from './words.json' with { type: 'json' };

const {
  PEOPLE,
  /** Things that can have writing on them. */
  THINGS,
  DEEDS,
  LOOKS,
  TIMES,
} = readTexts(data);

/** Words for the slots of a frame. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
  person: PEOPLE,
  person2: PEOPLE,
  thing: THINGS,
  thing2: THINGS,
  did: DEEDS,
  look: LOOKS,
  when: TIMES,
  when2: TIMES,
};
