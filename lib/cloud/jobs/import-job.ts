// Creates an ended job for a run of another provider: its settings and what it measured, without an adapter.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import {
  IMPORTED_MEASURES,
  type ImportedSteps,
  type Job,
  type jobImport,
  type Shape,
  type StepLogged,
} from '../../contract/index.js';
import type { ProjectScope } from '../auth/authorize.js';
import { type IdempotentRequest, once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import { insertJob } from './create-job.js';
import type { JobContext } from './job-context.js';
import { type JobLog, openJobLog } from './job-log.js';
import { findJob, type JobRow, toJob } from './job-rows.js';
import { NO_RESULTS, noteResults } from './record-events.js';

type JobImport = Shape<typeof jobImport>;

export async function importJob(
  context: JobContext,
  scope: ProjectScope,
  given: JobImport,
  idempotency: IdempotentRequest,
): Promise<Job> {
  const { db, changes, clock } = context;
  const id = randomUUID();
  const { answer } = await once({ db, now: new Date(clock.now()) }, idempotency, {
    create: async transaction => {
      const known = await findImported(transaction, scope, given.origin);
      if (!known) await insertRows(transaction, id, scope, given);
      return toJob(known ?? (await findJob(transaction, scope, id)), context.waits);
    },
  });
  if (answer.id === id) changes.announce({ id, project_id: scope.projectId });
  return answer;
}

async function findImported(
  transaction: Transaction<Tables>,
  { projectId }: ProjectScope,
  { provider, id }: JobImport['origin'],
): Promise<JobRow | undefined> {
  return transaction
    .selectFrom('jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(sql`json_extract(origin, '$.provider')`, '=', provider)
    .where(sql`json_extract(origin, '$.id')`, '=', id)
    .executeTakeFirst();
}

async function insertRows(
  transaction: Transaction<Tables>,
  id: string,
  scope: ProjectScope,
  given: JobImport,
): Promise<void> {
  const {
    origin,
    status,
    settings,
    steps,
    createdAt,
    startedAt,
    completedAt,
    error: problem,
    ...labels
  } = given;
  const config = { ...settings, model: origin.model };
  const job = await insertJob(transaction, new Date(createdAt), { id, scope, ...labels, config });
  const end = new Date(completedAt);
  const timestamp = end.toISOString();
  const log = openJobLog(job);
  if (steps) appendSteps(log, id, steps, end);
  const error = status === 'failed' ? (problem ?? 'The provider gave no reason.') : null;
  if (status === 'completed')
    log.append({
      type: 'training.completed',
      jobId: id,
      timestamp,
      artifacts: [],
      metrics: {},
      imported: true,
    });
  if (error !== null) log.append({ type: 'training.failed', jobId: id, timestamp, error });
  log.end(status, end, error);
  await log.write(transaction);
  await transaction
    .updateTable('jobs')
    .set({
      origin: JSON.stringify({ ...origin, fineTunedModel: origin.fineTunedModel ?? null }),
      started_at: startedAt ? new Date(startedAt).toISOString() : null,
    })
    .where('id', '=', id)
    .execute();
}

function appendSteps(log: JobLog, jobId: string, steps: ImportedSteps, end: Date): void {
  let results = NO_RESULTS;
  steps.step.forEach((step, index) => {
    const measured = IMPORTED_MEASURES.flatMap(name => {
      const value = steps[name]?.[index] ?? null;
      return value === null ? [] : [[name, value] as const];
    });
    const timestamp = new Date(steps.time?.[index] ?? end).toISOString();
    const event: StepLogged = {
      type: 'training.log',
      jobId,
      timestamp,
      step,
      ...Object.fromEntries(measured),
    };
    results = noteResults(results, event);
    log.append(event, { step, total_steps: step, ...results });
  });
}
