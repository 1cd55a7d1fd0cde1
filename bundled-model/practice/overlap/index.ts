// How much of the held-out rows stands in the training rows, and in what the base model was trained on: once by what
// the rows say they were made of, and once, not trusting that, by their texts.
import type { PracticeRow } from '../rows.js';
import { createValueFinder } from './find-values.js';
import { createRunFinder } from './longest-run.js';
import { maskSentences } from './mask.js';

export interface Overlap {
  /** Sentence templates that rows of both sides were made from. */
  sharedTemplates: number;
  /** Entity values that rows of both sides have. */
  sharedValues: number;
  training: TextOverlap;
  corpus: TextOverlap;
}

/** By the text alone; each number has what it counts next to it. */
export interface TextOverlap {
  /** Held-out sentences of three words or more that stand there too, values aside. */
  sentences: number;
  /** The most words in a row that stand there too, a gap for a value counted as one. */
  longestRun: number;
  /** Held-out values that stand there as whole words. */
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

/** Reads texts one by one and keeps what held-out rows share with them. */
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
