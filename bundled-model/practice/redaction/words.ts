// Plain words that sentences are filled with: they change from row to row, so that what stands around a value tells
// nothing about it. Both sides have them; the frames that they stand in are never shared.
import { readTexts } from '../../corpus/index.js';
import data from './words.json' with { type: 'json' };

const {
  PEOPLE,
  /** All can have something written on them. */
  THINGS,
  DEEDS,
  LOOKS,
  TIMES,
} = readTexts(data);

/** What the places of a frame are filled with. */
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
