// The rows of a run from files of tokens, which another machine has made of its data sets. Training cannot tell them from
// rows that it reads itself.
import type { BackgroundReader, Preparing } from '../background-reader.js';
import type { ExampleSet } from '../example-set.js';
import type { LongRows } from '../row-sweep.js';
import { openTokenFile } from './token-file.js';

/** What there is to know of the rows beside the tokens. */
export interface TokenFacts {
  /** A short name of the data set. */
  name: string;
  data: { digest: string; rows: number }[];
  tooLong: LongRows | null;
  /** Identifies the run: an engine resumes only from checkpoints with the same one. */
  fingerprint: string;
  /** For a large data set, what a run that reads it while training starts with; null for a small one. */
  reading: { digest: string; sample: readonly number[]; rows: number; trainTokens: number } | null;
}

export interface TokenFiles extends TokenFacts {
  trainingPath: string;
  evaluationPath: string | null;
}

interface OpenTokens extends Pick<TokenFacts, 'name' | 'data' | 'tooLong'> {
  training: ExampleSet;
  evaluation: ExampleSet;
  reader: BackgroundReader | null;
  close(): void;
}

export function openTokens({ trainingPath, evaluationPath, reading, ...facts }: TokenFiles): OpenTokens {
  const training = openTokenFile(trainingPath);
  try {
    const evaluation = evaluationPath === null ? null : openTokenFile(evaluationPath);
    return {
      ...facts,
      training,
      evaluation: evaluation ?? [],
      reader: reading && finishedReader(training, reading, facts.tooLong),
      close() {
        training.close();
        evaluation?.close();
      },
    };
  } catch (error) {
    training.close();
    throw error;
  }
}

/** All rows have been read before; it still tells what was found. */
function finishedReader(
  training: ExampleSet,
  { digest, sample, rows, trainTokens }: NonNullable<TokenFacts['reading']>,
  tooLong: LongRows | null,
): BackgroundReader {
  let found: Preparing | null = {
    type: 'preparing',
    rows,
    totalRows: rows,
    ...(tooLong && { tooLong }),
    trainTokens,
  };
  return {
    sample: sample.flatMap(index => training.at(index) ?? []),
    digest,
    isComplete: true,
    advance: async () => {},
    takeProgress() {
      const told = found;
      found = null;
      return told;
    },
  };
}
