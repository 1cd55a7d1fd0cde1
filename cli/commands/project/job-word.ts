// The adapter that `--job` and `--step` name, as one word.
import { readAdapterNotation } from '../../../lib/contract/index.js';
import { type Input, UsageError } from '../../command.js';
import { countOption, textOption } from './option-values.js';

/** Undefined without `--job`. `ID@STEP` and `--step` become `ID:checkpoint:STEP`. */
export function jobWord(input: Pick<Input, 'values'>): string | undefined {
  const [job, step] = [textOption(input, 'job'), countOption(input, 'step')];
  if (job === undefined) {
    if (step === undefined) return undefined;
    throw new UsageError('option "--step" requires "--job".');
  }
  const word = job.replace(/@(\d+)$/, ':checkpoint:$1');
  const isWhole = !word.includes(':') || /^latest:[^:]+$/.test(word);
  if (step !== undefined) {
    if (isWhole) return `${word}:checkpoint:${step}`;
    throw new UsageError('option "--job" names a checkpoint already, so "--step" cannot be used.');
  }
  if (isWhole || word.startsWith('latest:') || readAdapterNotation(word)?.jobId) return word;
  throw new UsageError(
    'option "--job" must be ID, ID@STEP, ID:final, ID:checkpoint:N, latest or latest:NAME.',
  );
}
