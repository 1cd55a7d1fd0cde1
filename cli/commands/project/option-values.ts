// Typed option values; invalid ones are usage errors.
import {
  type AdapterRef,
  findFault,
  jobFieldsWith,
  printable,
  readAdapterNotation,
  type Schema,
  toAdapterRef,
} from '../../../lib/contract/index.js';
import { resolveAdapter, type Session } from '../../../lib/sdk/index.js';
import { type Input, UsageError } from '../../command.js';
import { findJob, LATEST } from './find.js';

export function textOption({ values }: Pick<Input, 'values'>, name: string): string | undefined {
  return values[name] as string | undefined;
}

/** Of a repeatable option. */
export function textsOption({ values }: Pick<Input, 'values'>, name: string): string[] {
  return (values[name] as string[] | undefined) ?? [];
}

/** Of a repeatable option: values that jobs may have, also those that new jobs may not. */
export function valuesOption(input: Pick<Input, 'values'>, name: string, longest: number): string[] {
  const values = textsOption(input, name).map(value => value.trim());
  for (const value of values) {
    const fault = findFault(printable(longest), value, `option "--${name}"`);
    if (fault !== null) throw new UsageError(fault);
  }
  return values;
}

/** What errors call the editable fields of a job: `option "--note"`. */
export const LABEL_OPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  jobFieldsWith('edit').map(({ name, word }) => [name, `option "--${word}"`]),
);

/** A whole number; the option table defines its range. */
export function countOption({ values }: Pick<Input, 'values'>, name: string): number | undefined {
  return values[name] as number | undefined;
}

/**
 * Validates a request against the schema before sending it. `names` maps request fields to command-line
 * names.
 */
export function assertFits(schema: Schema, request: object, names: Readonly<Record<string, string>>): void {
  const fault = findFault(schema, request, 'The request');
  if (fault === null) return;
  throw new UsageError(
    fault.replace(
      /^`([^`]+)`/,
      (quoted, path: string) => names[path] ?? names[path.replace(/\[\d+\]$/, '')] ?? quoted,
    ),
  );
}

/**
 * The adapter that the options select: a job's final one or a checkpoint; null without `--job`. `--job` also
 * accepts the notation in which adapters are printed, `ID:final` and `ID:checkpoint:N`, and `latest`.
 */
export async function adapterOption(
  input: Pick<Input, 'values'>,
  session: Session,
): Promise<AdapterRef | null> {
  const typed = textOption(input, 'job');
  const step = countOption(input, 'step') ?? null;
  requireJobOfStep(input);
  if (typed === undefined) return null;
  if (/^latest(?::|$)/.test(typed)) return newestAdapter(jobWord(input)!, session);
  if (!typed.includes(':')) return toAdapterRef((await findJob(session, typed)).id, step);
  const named = readAdapterNotation(typed);
  if (!named || named.jobId === null || step !== null)
    throw new UsageError(
      'option "--job" must be ID, ID:final, ID:checkpoint:N, latest or latest:NAME; only ID and latest can be combined with "--step".',
    );
  return toAdapterRef((await findJob(session, named.jobId)).id, named.step);
}

/** A step says nothing without the job that it is of. */
export function requireJobOfStep({ values }: Pick<Input, 'values'>): void {
  if (values.step !== undefined && values.job === undefined)
    throw new UsageError('option "--step" requires "--job".');
}

/** Of the newest job that has completed. */
async function newestAdapter(word: string, session: Session): Promise<AdapterRef | null> {
  const { target } = (await resolveAdapter(await session.projectClient(), word)).subject;
  return target.kind === 'adapter' ? target.adapter : null;
}

const ID_START = /^[0-9a-f-]+$/i;

/** The sweep in `--group`, as typed; null if the option is not set. */
export function groupOption(input: Pick<Input, 'values'>): string | null {
  const typed = textOption(input, 'group') ?? null;
  if (typed === null || ID_START.test(typed)) return typed;
  throw new UsageError('option "--group" must be the ID of a sweep, or its start.');
}

/** The job in `--job`, as `findJob` takes it. */
export function jobOption(input: Pick<Input, 'values'>): string | undefined {
  const typed = textOption(input, 'job');
  if (typed === undefined || ID_START.test(typed) || LATEST.test(typed)) return typed;
  throw new UsageError('option "--job" must be the ID of a job, or its start, latest or latest:NAME.');
}

/**
 * The adapter that `--job` and `--step` name, as one word; undefined without `--job`. `ID@STEP` and `--step` become
 * `ID:checkpoint:STEP`.
 */
export function jobWord(input: Pick<Input, 'values'>): string | undefined {
  const [job, step] = [textOption(input, 'job'), countOption(input, 'step')];
  requireJobOfStep(input);
  if (job === undefined) return undefined;
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
