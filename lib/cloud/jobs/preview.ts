// The route that previews a job's training data, and measures its run by training its first steps in a temporary folder. It
// creates no job and stores nothing.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApiError,
  type CloudRoutes,
  type DataMeasurement,
  type DataPreview,
  type DatasetSource,
  type RunOptions,
} from '../../contract/index.js';
import type { AskedWork, EngineEvent, PreviewedData, TrainTask } from '../../engine/index.js';
import type { Handlers } from '../../http/index.js';
import { isThere } from '../../system/index.js';
import type { Access } from '../auth/authorize.js';
import { locateFiles } from '../runs/run-materials.js';
import { requireModel } from './create-job.js';
import { type Download, fetchSource, findSource } from './data-sources.js';
import { completeConfig } from './defaults.js';
import type { JobContext } from './job-context.js';
import { toRunDocument } from './run-document.js';
import type { BlobSource } from './secrets.js';

export type PreviewRoutes = Pick<CloudRoutes, 'previewData'>;

const ROWS_PER_PAGE = 20;
/** Per row; longer rows say how many tokens are left out. */
const MOST_TOKENS = 8192;

export function previewHandlers(context: JobContext & { access: Access }): Handlers<PreviewRoutes> {
  const { db, access, files, folders, deps } = context;
  const findDownload = createDownloads(context);
  const meter = createRunMeter(context);

  return {
    async previewData({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const { signal } = request;
      const { baseModel } = deps;
      requireModel(body.config.model, baseModel.name);
      const config = completeConfig(body.config, baseModel);
      const find = async (field: 'datasetSource' | 'evalDatasetSource') => {
        const source = config[field];
        if (!source) return null;
        const asked = { caller: orgId, signal, isFollowUp: body.cursor !== undefined };
        const found = await findSource(db, orgId, source, blob => findDownload(blob, asked));
        return found ?? refuseUpload(source, field);
      };
      const run = toRunDocument(config, {
        jobId: 'preview',
        attempt: 1,
        model: { name: baseModel.name, sha256: null },
        training: (await find('datasetSource'))!,
        evaluation: await find('evalDatasetSource'),
      });
      const { attempt: _1, modelName, roundedFolder, options, ...rows } = locateFiles(context, run).request;
      const { effort = 'usual', finding = null, row: number = null, tokens = false, cursor = 0 } = body;
      const { limit = ROWS_PER_PAGE } = body;
      const skip = Number(cursor);
      const { maxLength, seed, maxSteps, numTrainEpochs, batchSize, gradientAccumulationSteps } = run.options;
      const { replay: replayShare = 0 } = config;
      const plan = { maxSteps, numTrainEpochs, batchSize, gradientAccumulationSteps, replayShare };
      const { method, tooLong } = config;
      const about = { ...rows, ...plan, maxLength, seed, tooLong, folder: folders.downloads, effort };
      const shown = { finding, number, skip, limit, tokens: tokens ? MOST_TOKENS : 0 };
      const found = await files.run(
        'previewData',
        {
          request: { ...about, method: method?.type, soft: run.options.softWeight > 0 || undefined },
          query: shown,
        },
        { caller: orgId, signal },
      );
      const measured = { ...rows, modelName, roundedFolder, options };
      // Steps that learn from rewards would need their graders.
      const measurement =
        body.measure && method?.type !== 'grpo'
          ? await meter.measure(measured, sizeOf(found.report, run.options, replayShare), signal)
          : null;
      return { ...toPreview(found), nextCursor: nextCursor(skip, found), measurement };
    },
  };
}

/** For a sample, estimates the tokens of all rows. Those of earlier runs count as if they were as long. */
function sizeOf(
  { training, totalSteps }: PreviewedData['report'],
  { batchSize, gradientAccumulationSteps }: RunOptions,
  replayShare: number,
): RunSize {
  const { rows: own, checked, tokens } = training;
  const rows = own / (1 - replayShare);
  const perRow = checked === 0 ? 0 : tokens / checked;
  const steps = Math.max(1, Math.ceil(rows / (batchSize * gradientAccumulationSteps)));
  return { totalSteps, tokens: (perRow * rows * totalSteps) / steps };
}

function nextCursor(skip: number, { rows, total }: PreviewedData): string | null {
  const next = skip + rows.length;
  return rows.length > 0 && next < total ? String(next) : null;
}

function toPreview({ report, rows, total }: PreviewedData): Omit<DataPreview, 'nextCursor' | 'measurement'> {
  const { named, findings, ...counts } = report;
  const namedOf = (name: string) => {
    const { rows: first = [], reason } = named.find(entry => entry.name === name) ?? {};
    return { first, ...(reason !== undefined && { reason }) };
  };
  return {
    report: { ...counts, findings: findings.map(entry => ({ ...entry, ...namedOf(entry.name) })) },
    rows: rows.map(({ isTrained, tokens: seen, texts, ...row }) => ({
      ...row,
      side: isTrained ? 'training' : 'evaluation',
      seen,
      views: texts.map(({ pieces, ...text }) => ({ ...text, tokens: pieces })),
    })),
    total,
  };
}

const MOST_DOWNLOADS = 32;

/** A URL is fetched again, unless more of the same rows is asked for. */
function createDownloads(context: Pick<JobContext, 'deps' | 'files' | 'folders'>) {
  const known = new Map<string, Download>();
  return async (
    source: BlobSource,
    { isFollowUp, ...asked }: AskedWork & { isFollowUp: boolean },
  ): Promise<Download> => {
    const key = JSON.stringify([asked.caller, source]);
    const former = isFollowUp && known.get(key);
    // Old downloads are collected as garbage.
    const isKept = former && (await isThere(join(context.folders.downloads, former.file)));
    const found = isKept ? former : await fetchSource(context, source, asked);
    known.delete(key);
    known.set(key, found);
    if (known.size > MOST_DOWNLOADS) known.delete(known.keys().next().value!);
    return found;
  };
}

function refuseUpload(source: DatasetSource, field: string): never {
  const { datasetId } = source as Extract<DatasetSource, { type: 'upload' }>;
  throw new ApiError('dataset_invalid', `Data set ${datasetId} not found; upload it first.`, {
    param: `config.${field}.datasetId`,
  });
}

/** The first one also allocates memory, so its time does not count. */
const STEPS = 5;

interface RunSize {
  totalSteps: number;
  /** Tokens that the model sees in the whole run. */
  tokens: number;
}

interface RunMeter {
  measure(
    request: Omit<TrainTask['request'], 'folder'>,
    size: RunSize,
    signal: AbortSignal,
  ): Promise<DataMeasurement>;
}

function createRunMeter({ db, deps }: Pick<JobContext, 'db' | 'deps'>): RunMeter {
  let isMeasuring = false;

  async function isBusy(): Promise<boolean> {
    const running = db.selectFrom('jobs').select('id').where('status', '=', 'running');
    return (await running.where('paused_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;
  }

  return {
    async measure(request, size, signal) {
      const { measure } = deps.runner;
      if (!measure)
        throw new ApiError(
          'unsupported_parameter',
          'This cloud cannot measure runs: it trains on other machines, or with PyTorch.',
          { param: 'measure' },
        );
      if (isMeasuring) throw alreadyTraining();
      isMeasuring = true;
      try {
        if (await isBusy()) throw alreadyTraining();
        return await withFolder(async folder => {
          const task = { jobId: 'measure', measuredSteps: STEPS, request: { ...request, folder } };
          return toMeasurement(await trainSteps(measure, task, signal), size);
        });
      } finally {
        isMeasuring = false;
      }
    },
  };
}

function alreadyTraining(): ApiError {
  return new ApiError(
    'engine_busy',
    'A job is training here, so the time of another one cannot be measured. Try again when it has ended.',
  );
}

async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-measure-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function trainSteps(
  measure: NonNullable<JobContext['deps']['runner']['measure']>,
  task: TrainTask,
  signal: AbortSignal,
): Promise<EngineEvent[]> {
  signal.throwIfAborted();
  const events: EngineEvent[] = [];
  const run = measure(task, event => void events.push(event));
  signal.addEventListener('abort', run.kill, { once: true });
  try {
    const { status } = await run.ended;
    signal.throwIfAborted();
    if (status === 'completed') return events;
  } finally {
    signal.removeEventListener('abort', run.kill);
  }
  const failed = events.find(event => event.type === 'training.failed');
  const reason = failed?.error ?? 'The trainer exited unexpectedly.';
  throw new ApiError('dataset_invalid', `The run cannot be measured: ${reason}`);
}

function toMeasurement(events: readonly EngineEvent[], { totalSteps, tokens }: RunSize): DataMeasurement {
  const logs = events.filter(event => event.type === 'training.log');
  const timed = logs.length > 1 ? logs.slice(1) : logs;
  const speeds = timed.map(({ tokensPerSecond }) => tokensPerSecond ?? 0).filter(speed => speed > 0);
  const sorted = speeds.toSorted((a, b) => a - b);
  const tokensPerSecond = sorted[sorted.length >> 1] ?? 0;
  const seconds = tokensPerSecond === 0 ? 0 : tokens / tokensPerSecond;
  const completed = events.find(event => event.type === 'training.completed');
  return {
    steps: Math.max(1, logs.length),
    secondsPerStep: seconds / Math.max(1, totalSteps),
    tokensPerSecond,
    seconds,
    memory: Number(completed?.metrics.memory ?? 0),
  };
}
