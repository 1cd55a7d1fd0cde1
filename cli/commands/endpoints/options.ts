// The options that commands for endpoints share.
import {
  type CloudDeploymentPatch,
  type CloudTarget,
  cloudDeploymentPatch,
  type Deployment,
  type Follow,
} from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { type Context, type Input, UsageError } from '../../command.js';
import { findJob } from '../project/find.js';
import { adapterOption, assertFits, requireJobOfStep, textOption } from '../project/option-values.js';
import type { SessionContext } from '../project/session-command.js';

type Offer = Pick<CloudDeploymentPatch, 'operations' | 'corsOrigins'>;

/**
 * `--operations` and `--cors`: the API operations besides chat, and the web origins that may call the
 * endpoint. Omits options that were not set.
 */
export function readOffer(input: Pick<Input, 'values'>): Offer {
  const operations = listOption(input, 'operations');
  const corsOrigins = listOption(input, 'cors');
  const offer = { ...(operations && { operations }), ...(corsOrigins && { corsOrigins }) };
  assertFits(cloudDeploymentPatch, offer, namesOf(operations ?? [], corsOrigins ?? []));
  return offer as Offer;
}

/** `none` stands for an empty list. */
function listOption(input: Pick<Input, 'values'>, name: string): string[] | undefined {
  const text = textOption(input, name);
  return text === 'none' ? [] : text?.split(',').map(part => part.trim());
}

/** Maps paths in the request to what the user typed. */
function namesOf(operations: readonly string[], origins: readonly string[]): Record<string, string> {
  return {
    operations: 'option "--operations"',
    corsOrigins: 'option "--cors"',
    ...Object.fromEntries(operations.map((name, i) => [`operations[${i}]`, `the operation "${name}"`])),
    ...Object.fromEntries(origins.map((_, i) => [`corsOrigins[${i}]`, 'an entry of "--cors"'])),
  };
}

type Keeping = Pick<CloudDeploymentPatch, 'keepRequests' | 'runRetentionMode' | 'runRetentionDays'>;

/**
 * `--keep-requests`, `--no-keep-requests` and `--keep-for`: whether the endpoint keeps its requests, and for
 * how long. Omits options that were not set.
 */
export function readKeeping(input: Pick<Input, 'values'>): Keeping {
  const { 'keep-requests': keep, 'no-keep-requests': drop } = input.values;
  if (keep && drop) throw new UsageError('use either "--keep-requests" or "--no-keep-requests", not both.');
  const time = textOption(input, 'keep-for');
  return {
    ...((keep || drop) && { keepRequests: keep === true }),
    ...(time !== undefined && toRetention(time)),
  };
}

/** Says that `--keep-for` has no effect yet. */
export function noteKeepsNothing(
  { values, note }: Pick<Context, 'values' | 'note'>,
  { keepRequests }: Deployment,
): void {
  if (values['keep-for'] !== undefined && !keepRequests)
    note('The endpoint keeps no requests until it is told to with "--keep-requests".');
}

function toRetention(time: string): Keeping {
  if (time === 'unlimited') return { runRetentionMode: 'unlimited' };
  if (/^[1-9]\d{0,5}$/.test(time)) return { runRetentionMode: 'days', runRetentionDays: Number(time) };
  throw new UsageError(`option "--keep-for" must be a number of days or unlimited, not "${time}".`);
}

/** `--require-gate` and `--no-require-gate`: whether it follows only what has passed `svc ship`. */
export function readGate({ values }: Pick<Input, 'values'>): Pick<CloudDeploymentPatch, 'requireGate'> {
  const { 'require-gate': require, 'no-require-gate': drop } = values;
  if (require && drop) throw new UsageError('use either "--require-gate" or "--no-require-gate", not both.');
  return require || drop ? { requireGate: require === true } : {};
}

/** Reads what to serve from `--job` or `--follow`, or else from the argument, which the caller parses. */
export async function readServed<Other>(
  input: Pick<SessionContext, 'values' | 'session'>,
  word: string | undefined,
  { read, ways }: { read(word: string): Other | Promise<Other>; ways: string },
): Promise<CloudTarget | Other> {
  requireJobOfStep(input);
  const [follow, job] = [textOption(input, 'follow'), textOption(input, 'job')];
  if ([word, follow, job].filter(value => value !== undefined).length !== 1) throw new UsageError(ways);
  if (follow !== undefined) return readFollow(follow, input.session);
  const adapter = await adapterOption(input, input.session);
  return adapter ? { kind: 'adapter', adapter } : read(word!);
}

/** `best:JOB_ID`, or `latest:TRAINER_NAME`. */
async function readFollow(typed: string, session: Session): Promise<CloudTarget> {
  const [kind, ...rest] = typed.split(':');
  const name = rest.join(':').trim();
  if (name === '' || (kind !== 'best' && kind !== 'latest'))
    throw new UsageError(`"--follow" must be best:JOB_ID or latest:TRAINER, not "${typed}".`);
  const follow: Follow =
    kind === 'best' ? { kind, jobId: (await findJob(session, name)).id } : { kind, trainer: name };
  return { kind: 'follow', follow };
}
