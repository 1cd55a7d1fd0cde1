// How much of the held-out rows occurs in the training rows and in the corpus of the base model: once by what
// the rows say they were made from, and once by their texts, in case that is wrong.
import type { PracticeRow } from '../rows.js';
import { createValueFinder } from './find-values.js';
import { createRunFinder } from './longest-run.js';
import { maskSentences } from './mask.js';

interface Overlap {
  /** Sentence templates that rows of both sides were made from. */
  sharedTemplates: number;
  /** Entity values in rows of both sides. */
  sharedValues: number;
  training: TextOverlap;
  corpus: TextOverlap;
}

/** Measured on the texts alone, with an example of each. */
interface TextOverlap {
  /** Held-out sentences of three or more words that also occur there, ignoring values. */
  sentences: number;
  /** The longest run of words that also occurs there, counting the gap for a value as one word. */
  longestRun: number;
  /** Held-out values that occur there as whole words. */
  values: number;
  examples: { sentences: string[]; longestRun: string; values: string[] };
}

export function measureOverlap(
  train: readonly PracticeRow[],
  heldOut: readonly PracticeRow[],
  corpusTexts: Iterable<string>,
): Overlap {
  const training = createReader(heldOut);
  for (const row of train) training.read(row.asked, row.values);
  const corpus = createReader(heldOut);
  for (const text of corpusTexts) corpus.read(text);
  return {
    sharedTemplates: countShared(train, heldOut, row => row.templates),
    sharedValues: countShared(train, heldOut, row => row.values.map(value => value.toLowerCase())),
    training: training.measure(),
    corpus: corpus.measure(),
  };
}

function countShared(
  train: readonly PracticeRow[],
  heldOut: readonly PracticeRow[],
  read: (row: PracticeRow) => readonly string[],
): number {
  const trained = new Set(train.flatMap(read));
  return [...new Set(heldOut.flatMap(read))].filter(part => trained.has(part)).length;
}

/** Reads texts one by one and records what they share with held-out rows. */
function createReader(heldOut: readonly PracticeRow[]) {
  const masked = heldOut.map(row => maskSentences(row.asked, row.values));
  const sentences = new Set(masked.flat().filter(isTelling).map(toText));
  const shared = new Set<string>();
  const runs = createRunFinder(masked.map(words => words.flat()));
  const values = createValueFinder(heldOut.flatMap(row => row.values));
  return {
    read(text: string, known: readonly string[] = []) {
      const read = maskSentences(text, known);
      for (const sentence of read.map(toText)) if (sentences.has(sentence)) shared.add(sentence);
      runs.read(read.flat());
      values.read(text);
    },
    measure: (): TextOverlap => ({
      sentences: shared.size,
      longestRun: runs.longest.length,
      values: values.found.size,
      examples: { sentences: [...shared], longestRun: toText(runs.longest), values: [...values.found] },
    }),
  };
}

const isTelling = (words: readonly string[]) => words.length >= 3;
const toText = (words: readonly string[]) => words.join(' ');
