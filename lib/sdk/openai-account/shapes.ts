// What an account holds, as OpenAI's API sends it. Lenient: unknown fields stay, and a field that is missing or of another
// type reads as null, so that one odd job does not keep the others from being imported.
import * as z from 'zod/mini';

const text = z.catch(z.nullable(z.string()), null);
const number = z.catch(z.nullable(z.number()), null);
const record = z.catch(z.nullable(z.record(z.string(), z.unknown())), null);

/** An ID names a path of the API and a file on this machine. Longer or odd ones are refused where they arrive. */
const id = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(200),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'must not contain control characters'),
  );

export const accountJob = z.looseObject({
  id,
  model: z.string(),
  status: z.string(),
  created_at: z.number(),
  finished_at: number,
  fine_tuned_model: text,
  training_file: text,
  validation_file: text,
  result_files: z.catch(z.array(z.string()), []),
  seed: number,
  trained_tokens: number,
  user_provided_suffix: text,
  /** Older jobs have them here, newer ones in `method`, and many in both. */
  hyperparameters: record,
  method: z.catch(z.nullable(z.looseObject({ type: z.string() })), null),
  error: z.catch(z.nullable(z.looseObject({ code: text, message: text })), null),
  integrations: z.catch(z.nullable(z.array(z.unknown())), null),
});

export type AccountJob = z.output<typeof accountJob>;

export const accountEvent = z.looseObject({
  id,
  created_at: number,
  message: text,
  type: text,
  data: record,
});

export type AccountEvent = z.output<typeof accountEvent>;

export const accountCheckpoint = z.looseObject({ id, step_number: number, metrics: record });

export const accountFile = z.looseObject({ id, filename: text, bytes: number });

export type AccountFile = z.output<typeof accountFile>;

/** A page of a list, whose items are checked one by one. */
export const page = z.looseObject({
  data: z.array(z.unknown()),
  has_more: z.catch(z.boolean(), false),
});

const FINAL: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);

export function hasEnded({ status }: Pick<AccountJob, 'status'>): boolean {
  return FINAL.has(status);
}

/** `supervised`, `dpo`, `reinforcement` or one of the future. Jobs from before there were methods are supervised. */
export function methodOf({ method }: Pick<AccountJob, 'method'>): string {
  return method?.type ?? 'supervised';
}

/** Of a job for reinforcement; null if it has none. */
export function graderOf({ method }: Pick<AccountJob, 'method'>): unknown {
  return (method?.reinforcement as { grader?: unknown } | null | undefined)?.grader ?? null;
}

/** Those of the method, or the older ones at the top. */
export function hyperparametersOf(
  job: Pick<AccountJob, 'method' | 'hyperparameters'>,
): Readonly<Record<string, unknown>> {
  const { method } = job;
  const own =
    method && (method[methodOf(job)] as { hyperparameters?: unknown } | null | undefined)?.hyperparameters;
  const isObject = typeof own === 'object' && own !== null;
  return { ...job.hyperparameters, ...(isObject && own) };
}
