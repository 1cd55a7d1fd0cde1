// Runs one batch to its end: checks its file, answers its requests side by side, and makes files of the answers. It can be
// interrupted anywhere, and then continues with the requests that have no answer yet.
import { rm } from 'node:fs/promises';
import type { BatchLine } from '../../../contract/index.js';
import type { DatasetStore } from '../../datasets/dataset-store.js';
import type { Folders } from '../../disk/folders.js';
import type { Db } from '../../store/db.js';
import { toStorageFault } from '../../store/storage-fault.js';
import { findFile, insertFile } from '../file-rows.js';
import type { KeyScope } from '../models.js';
import { type AnswerContext, answerLine, BatchStop, type Operate, toUnanswered } from './answer-line.js';
import { type BatchCounts, type BatchRow, changeBatch, isUnfinished, readBatch } from './batch-rows.js';
import { checkRequests, readRequests } from './input-lines.js';
import { type BatchResult, openResultLog, type ResultLog } from './result-log.js';

export interface BatchContext extends AnswerContext {
  db: Db;
  datasets: DatasetStore;
  folders: Folders;
  /** Reserves a place among the requests of all batches that are answered at a time. Throws the signal's reason. */
  takePlace(signal: AbortSignal): Promise<() => void>;
  /** Aborted when the cloud shuts down, even for a batch that was stopped before. */
  closing: AbortSignal;
  readScope(projectId: string): Promise<KeyScope>;
  /** Throws for a model that does not exist in the project. */
  requireModel(scope: KeyScope, model: unknown): Promise<unknown>;
  operateFor(batch: BatchRow, scope: KeyScope): Operate;
}

/** A batch that is running. */
export interface LiveBatch {
  /** Aborted with a `BatchStop` to end it early, or with another reason to interrupt it. */
  stop: AbortController;
  /** Null until its log was read. */
  counts: BatchCounts | null;
  /** Called once that was tried, and perhaps again later. */
  onRead: () => void;
}

/** Requests of one batch that are answered at a time, as far as there are places. */
const AT_ONCE = 8;
/** The pause before a result is written again to a disk that failed. */
const RETRY_MS = 2000;

/** Throws if it was interrupted, or the store failed. */
export async function runBatch(context: BatchContext, id: string, live: LiveBatch): Promise<void> {
  const given = await readBatch(context.db, id);
  if (!given || !isUnfinished(given)) return;
  const scope = await context.readScope(given.project_id);
  const batch = given.status === 'validating' ? await validate(context, given, scope) : given;
  if (!batch) return;
  const log = await openResultLog(context.folders.batch(id));
  live.counts = log.counts;
  live.onRead();
  try {
    if (batch.total > 0) await answerAll(context, batch, scope, log, live);
    await finish(context, batch, scope, log, live);
  } finally {
    await log.close();
  }
}

/** The batch as it is then; null if it has ended. */
async function validate(context: BatchContext, batch: BatchRow, scope: KeyScope): Promise<BatchRow | null> {
  const { db, datasets, clock, requireModel } = context;
  const { sha256 } = await findFile(db, scope, batch.input_file_id);
  const { body } = await datasets.open(sha256);
  const { endpoint } = batch;
  const { total, model, errors } = await checkRequests(body, {
    endpoint,
    requireModel: model => requireModel(scope, model),
  });
  const at = new Date(clock.now());
  const from = ['validating'] as const;
  if (errors.length > 0) await changeBatch(db, batch.id, { to: 'failed', from, at, set: { errors } });
  else await changeBatch(db, batch.id, { to: 'in_progress', from, at, set: { total, model } });
  const checked = await readBatch(db, batch.id);
  return checked && isUnfinished(checked) ? checked : null;
}

/** Requests that are left when it is stopped get the reason as their error. */
async function answerAll(
  context: BatchContext,
  batch: BatchRow,
  scope: KeyScope,
  log: ResultLog,
  { stop }: LiveBatch,
): Promise<void> {
  const { db, datasets, clock } = context;
  const failed = new AbortController();
  const signal = AbortSignal.any([stop.signal, failed.signal]);
  const interrupted = AbortSignal.any([context.closing, failed.signal]);
  const operate = context.operateFor(batch, scope);
  const { sha256 } = await findFile(db, scope, batch.input_file_id);
  const requests = readRequests((await datasets.open(sha256)).body);
  const expiresAt = Date.parse(batch.expires_at);
  const expire = () => stop.abort(new BatchStop('batch_expired'));
  // One that is finalizing is not late, unless a power cut took answers that it had.
  const isAnswered = batch.status === 'finalizing';
  const expiry = isAnswered ? null : clock.after(Math.max(0, expiresAt - clock.now()), expire);
  if (batch.status === 'cancelling') stop.abort(new BatchStop('batch_cancelled'));

  async function answerInPlace(line: BatchLine): Promise<BatchResult> {
    const leave = await context.takePlace(signal);
    try {
      return await answerLine(context, operate, line, signal);
    } finally {
      leave();
    }
  }

  async function answer(line: BatchLine): Promise<BatchResult> {
    if (clock.now() >= expiresAt) expire();
    try {
      return await answerInPlace(line);
    } catch (error) {
      if (signal.reason instanceof BatchStop) return toUnanswered(line, signal.reason);
      throw error;
    }
  }

  async function answerNext(): Promise<void> {
    for (let next = await requests.next(); !next.done; next = await requests.next())
      if (!log.has(next.value.custom_id)) await keep(context, log, await answer(next.value), interrupted);
  }

  const working = Array.from({ length: AT_ONCE }, answerNext);
  try {
    await Promise.all(working);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(working);
    throw error;
  } finally {
    expiry?.stop();
    await requests.return(undefined);
  }
}

/** Waits while the disk fails, also after a stop: an answer that was computed is neither lost nor computed again. */
async function keep(
  { clock }: BatchContext,
  log: ResultLog,
  result: BatchResult,
  interrupted: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await log.add(result);
    } catch (error) {
      if (!toStorageFault(error)) throw error;
    }
    await clock.sleep(RETRY_MS, interrupted);
  }
}

/** Names the files and the end in one transaction, so that it is done once, however often it is interrupted. */
async function finish(
  context: BatchContext,
  { id, output_seconds }: BatchRow,
  { orgId, projectId }: KeyScope,
  log: ResultLog,
  { stop }: LiveBatch,
): Promise<void> {
  const { db, datasets, clock, folders } = context;
  const now = () => new Date(clock.now());
  const isExpired = stop.signal.reason instanceof BatchStop && stop.signal.reason.code === 'batch_expired';
  if (!isExpired) await changeBatch(db, id, { to: 'finalizing', from: ['in_progress'], at: now() });
  const { counts, usage } = log;
  const paths = await log.close();

  async function store(kind: 'output' | 'error') {
    const path = paths[kind];
    if (path === null) return null;
    const name = `${id}_${kind}.jsonl`;
    const origin = { orgId, fileName: name, hasRows: () => false, isAccepted: true };
    const dataset = await datasets.add(origin, path);
    const expiresAfter = output_seconds ?? undefined;
    return { name, purpose: 'batch_output' as const, datasetId: dataset.id, at: now(), expiresAfter };
  }

  const files = [await store('output'), await store('error')];
  await db.transaction().execute(async transaction => {
    const batch = await readBatch(transaction, id);
    if (!batch) return;
    const ids: (string | null)[] = [];
    for (const file of files) ids.push(file && (await insertFile(transaction, { orgId, projectId }, file)));
    const [output_file_id = null, error_file_id = null] = ids;
    const end = isExpired ? 'expired' : batch.status === 'cancelling' ? 'cancelled' : 'completed';
    const set = { ...counts, usage, output_file_id, error_file_id };
    await changeBatch(transaction, id, { to: end, from: [batch.status], at: now(), set });
  });
  await rm(folders.batch(id), { recursive: true, force: true });
}
