// Puts events of an attempt into the job's log, and changes the job's row and the adapters that it offers with them, in
// one transaction, which finds out first whether this attempt still has a say.
import type { Transaction } from 'kysely';
import type { Artifact, JobEvent } from '../../contract/index.js';
import { keepAdapter } from '../artifacts/adapter-store.js';
import { insertArtifacts, listArtifacts } from '../artifacts/artifact-rows.js';
import type { Tables } from '../store/tables.js';
import { describeFailure } from './failure.js';
import type { JobContext } from './job-context.js';
import { type JobLog, openJobLog } from './job-log.js';
import { admit, advance, type Progress } from './progress.js';

/** An attempt at a job: only what the last one says counts. */
export interface Attempt {
  id: string;
  project_id: string;
  number: number;
}

/** Whether the job is over for this attempt. */
export async function recordEvents(
  context: JobContext,
  attempt: Attempt,
  progress: Progress,
  batch: readonly JobEvent[],
): Promise<boolean> {
  const events = batch.flatMap(event => admit(progress, event) ?? []);
  const kept = await keepAdapters(context, attempt, events);
  const log = await context.db
    .transaction()
    .execute(transaction => writeEvents(context, transaction, attempt, events, kept));
  if (!log) return true;
  for (const event of events) advance(progress, event);
  context.changes.announce(attempt, log.events);
  return log.isOver;
}

/** Those of the adapters told of that are there to be offered. */
async function keepAdapters(
  { folders }: JobContext,
  { id }: Attempt,
  events: readonly JobEvent[],
): Promise<Set<Artifact>> {
  const kept = new Set<Artifact>();
  for (const artifact of events.flatMap(toldArtifacts)) {
    if (await keepAdapter(folders, id, artifact)) kept.add(artifact);
    else if (artifact.kind === 'final') throw new Error(`The final adapter of job ${id} is not there.`);
  }
  return kept;
}

/** At the end that is the final adapter: checkpoints were told of when they were saved. */
function toldArtifacts(event: JobEvent): Artifact[] {
  if (event.type === 'checkpoint.saved') return event.artifacts;
  return event.type === 'training.completed' ? event.artifacts.filter(({ kind }) => kind === 'final') : [];
}

/** Null when this attempt has no say any more. */
async function writeEvents(
  context: JobContext,
  transaction: Transaction<Tables>,
  attempt: Attempt,
  events: readonly JobEvent[],
  kept: ReadonlySet<Artifact>,
): Promise<JobLog | null> {
  const job = await transaction
    .selectFrom('jobs')
    .select(['id', 'last_seq'])
    .where('id', '=', attempt.id)
    .where('status', '=', 'running')
    .where('attempt', '=', attempt.number)
    .executeTakeFirst();
  if (!job) return null;
  const log = openJobLog(transaction, job);
  for (const event of events) {
    const artifacts = toldArtifacts(event).filter(artifact => kept.has(artifact));
    await insertArtifacts(transaction, attempt.id, artifacts);
    await writeEvent(context, transaction, log, event);
    if (log.isOver) break;
  }
  return log;
}

async function writeEvent(
  context: JobContext,
  transaction: Transaction<Tables>,
  log: JobLog,
  event: JobEvent,
): Promise<void> {
  switch (event.type) {
    case 'training.started':
      return log.append(event, { total_steps: event.totalSteps });
    case 'training.log':
      return log.append(event, { step: event.step });
    case 'training.preparing':
    case 'checkpoint.saved':
      return log.append(event);
    case 'training.completed':
      await log.append({ ...event, artifacts: await listArtifacts(transaction, event.jobId) });
      return log.end('completed', context.now());
    case 'training.failed': {
      const error = describeFailure(event.error, context, event.jobId);
      await log.append({ ...event, error });
      return log.end('failed', context.now(), error);
    }
  }
}
