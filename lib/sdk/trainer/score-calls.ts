// The functions that a model calls, scored as an eval of a trainer.
import { OptionError } from '../../contract/index.js';
import type { Eval } from './options.js';
import { createRowEval } from './score-rows.js';

export interface CallScoreOptions {
  /**
   * A file of conversations with `tools`, or such rows. The last message is what is expected: calls of functions, or a text where
   * none is to be called.
   */
  on: string | readonly object[];
  /** Only the first rows. An eval is measured at each checkpoint, so few are better. Default: 50. */
  limit?: number;
  /**
   * `calls`, the share of rows with the right functions and the right arguments; `functions`, with the right functions;
   * `arguments`, the F1 of the arguments; `valid`, the share of calls that fit the tools; `f1`, of the words of texts. Default:
   * `calls`.
   */
  score?: 'calls' | 'functions' | 'arguments' | 'valid' | 'f1';
}

/** An eval for `createTrainer`: a score of the functions that are called, over held-out rows that are asked at temperature 0. */
export function scoreCalls({ on, limit, score }: CallScoreOptions): Eval {
  return createRowEval(
    { on, limit, score },
    {
      scored: { kind: 'calls' },
      schema: null,
      task: null,
      explain: (name, known) =>
        new OptionError(`scoreCalls: there is no score "${name}". There are: ${known.join(', ')}.`),
    },
  );
}
