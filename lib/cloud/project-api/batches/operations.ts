// Operations on a project's batches.
import type { Clock } from '../../../clock/index.js';
import {
  ApiError,
  batchesQuery,
  IDEMPOTENCY_KEY_HEADER,
  parseBatchRequest,
  parseIdempotencyKey,
} from '../../../contract/index.js';
import { readJson } from '../../../http/index.js';
import { readQuery, toPage } from '../../answers/lists.js';
import type { Db } from '../../store/db.js';
import { once } from '../../store/once.js';
import type { Call, Operations } from '../call.js';
import { requireFile } from '../file-rows.js';
import { type BatchRow, changeBatch, findBatch, insertBatch, listBatches, toBatch } from './batch-rows.js';
import type { BatchRunner } from './batch-runner.js';
import { BATCH_LIMITS } from './input-lines.js';

interface BatchesContext {
  db: Db;
  runner: BatchRunner;
  clock: Clock;
}

type BatchOperation = 'createBatch' | 'listBatches' | 'getBatch' | 'cancelBatch';

const DEFAULT_LIMIT = 20;

export function batchOperations({ db, runner, clock }: BatchesContext): Operations<BatchOperation> {
  // Nothing is answered before its requests were counted, which may take a while.
  const show = async (row: BatchRow) => toBatch(row, row.total === 0 ? null : await runner.countsOf(row.id));
  const read = async ({ projectId }: Call['scope'], id: string) => show(await findBatch(db, projectId, id));

  return {
    async createBatch({ request, scope, caller }) {
      const body = await readJson(request);
      const parsed = parseBatchRequest(body);
      const key = parseIdempotencyKey(request.headers.get(IDEMPOTENCY_KEY_HEADER));
      const now = new Date(clock.now());
      const { projectId } = scope;
      const creation = { key, caller, request: ['createBatch', body] };
      const { answer: id } = await once({ db, now }, creation, {
        async create(transaction) {
          await requireInput(transaction, scope, parsed.input_file_id);
          return insertBatch(transaction, { projectId, caller }, parsed, now);
        },
      });
      runner.begin(id);
      return read(scope, id);
    },
    async listBatches({ request, scope }) {
      const { limit = DEFAULT_LIMIT, after } = readQuery(request, batchesQuery);
      const rows = await listBatches(db, scope.projectId, { limit, after });
      return toPage(await Promise.all(rows.map(show)), limit);
    },
    getBatch: ({ scope, id }) => read(scope, id),
    async cancelBatch({ scope, id }) {
      const { projectId } = scope;
      await findBatch(db, projectId, id);
      const at = new Date(clock.now());
      const from = ['validating', 'in_progress'] as const;
      if (await changeBatch(db, id, { to: 'cancelling', from, at })) runner.cancel(id);
      const batch = await findBatch(db, projectId, id);
      if (batch.status === 'cancelling' || batch.status === 'cancelled') return show(batch);
      throw new ApiError('invalid_value', `Batch ${id} is ${batch.status}, so it cannot be canceled.`);
    },
  };
}

async function requireInput(db: Pick<Db, 'selectFrom'>, scope: Call['scope'], id: string): Promise<void> {
  const param = 'input_file_id';
  const { bytes } = await requireFile(db, scope, { param, id, purpose: 'batch' });
  if (bytes <= BATCH_LIMITS.bytes) return;
  const most = BATCH_LIMITS.bytes / 1024 ** 2;
  throw new ApiError('invalid_value', `\`${param}\`: the file of a batch has at most ${most} MiB.`, {
    param,
  });
}
