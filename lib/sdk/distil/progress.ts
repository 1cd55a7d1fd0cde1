// How far a distilled data set is, and the errors that say what is kept of it.
import { ApiError } from '../../contract/index.js';
import type { DistilSettings } from './options.js';
import type { Estimate, Tokens } from './spending.js';
import type { LeftOut } from './verdict.js';

export interface DistilProgress {
  /** `waiting`: another process asks this teacher for the project. */
  stage: 'reading' | 'waiting' | 'asking' | 'done';
  /** The teacher's model. */
  teacher: string;
  /** How many answers are wanted, how many are there, and how many of them were there before. */
  total: number;
  answered: number;
  known: number;
  /** Of those that are there, by the reason. */
  leftOut: Partial<Record<LeftOut, number>>;
  maxTokens: number;
  /** Why the teacher refused the first of those that it refused. */
  refusal?: string | undefined;
  /** Of the answers that were asked for now. */
  tokens: Tokens;
  /** What those cost; null without prices. */
  dollars: number | null;
  /** Of the answers that were missing at the start. */
  estimate: Estimate | null;
  /** Why nothing moves at the moment; it will be retried. */
  problem?: { why: string; ms: number } | undefined;
}

/** How the caller takes part. */
export interface DistilWatch {
  onDistil?: ((progress: DistilProgress) => void) | undefined;
  /** False: missing answers are an error. */
  mayAsk?: boolean | undefined;
  /** Once it is aborted, no more is asked; answers that are under way are waited for and kept. Then its reason is thrown. */
  stop?: AbortSignal | undefined;
}

const count = (value: number) => value.toLocaleString('en');

/** `120 by keep, 3 empty`, in the same order however answers arrived; null if none was. */
export function describeLeftOut({ leftOut, maxTokens }: DistilProgress): string | null {
  const texts: Record<LeftOut, string> = {
    keep: 'by `keep`',
    empty: 'empty',
    cut: `cut off at ${count(maxTokens)} tokens`,
    refused: 'refused by the teacher',
    misfit: 'that do not fit the task',
  };
  const parts = Object.entries(texts).flatMap(([reason, text]) => {
    const many = leftOut[reason as LeftOut];
    return many ? `${count(many)} ${text}` : [];
  });
  return parts.length === 0 ? null : parts.join(', ');
}

/** Where a generation that ended early continues; null if it would start over. */
export function describeKept({ answered, total }: DistilProgress): string | null {
  if (answered === 0) return null;
  return `${count(answered)} of ${count(total)} answers are kept. The next start resumes there.`;
}

/** The error with what is kept. */
export function withKept(error: unknown, progress: DistilProgress): unknown {
  const kept = describeKept(progress);
  if (!(error instanceof ApiError) || !kept) return error;
  const { status, type, code, message, param } = error;
  return new ApiError({ status, type, code }, `${message}\n${kept}`, { param, cause: error });
}

export function notAnswered({ teacher }: DistilSettings, { answered, total }: DistilProgress): ApiError {
  return new ApiError(
    'dataset_invalid',
    `${count(answered)} of ${count(total)} prompts have an answer of ${teacher.model}. Start a run or "svc data check", which ask for the others.`,
    { param: 'dataset' },
  );
}

export function nothingLeft(progress: DistilProgress): ApiError {
  const { total, refusal } = progress;
  const all = total === 1 ? 'The only answer was' : `All ${count(total)} answers were`;
  return new ApiError(
    'dataset_invalid',
    `${all} left out, so there is nothing to train on: ${describeLeftOut(progress)}.${refusal ? ` ${refusal}` : ''}`,
    { param: 'dataset' },
  );
}
