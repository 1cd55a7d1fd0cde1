// The route that shows what a job would train on. It creates no job and keeps nothing.
import { join } from 'node:path';
import {
  ApiError,
  type CloudRoutes,
  type DataPreview,
  type DatasetSource,
  type RunOptions,
  toRunOptions,
} from '../../contract/index.js';
import type { DataFile, PreviewedData, TrainTask } from '../../engine/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../auth/authorize.js';
import { requireModel } from './create-job.js';
import { completeConfig, type StoredConfig } from './defaults.js';
import type { JobContext } from './job-context.js';
import { createRunMeter, type RunSize } from './measure-run.js';

export type PreviewRoutes = Pick<CloudRoutes, 'previewData'>;

const ROWS_PER_PAGE = 20;
/** Of one row; longer ones say how many tokens are left out. */
const MOST_TOKENS = 8192;

export function previewHandlers(context: JobContext & { access: Access }): Handlers<PreviewRoutes> {
  const { access, files, folders, deps } = context;
  const findSource = createSourceFinder(context);
  const meter = createRunMeter(context);

  return {
    async previewData({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const { signal } = request;
      requireModel(body.config.model, deps.baseModel.name);
      const config = completeConfig(body.config);
      const find = (field: 'datasetSource' | 'evalDatasetSource') => {
        const source = config[field];
        return source && findSource(orgId, source, `config.${field}`, signal);
      };
      const data = toData(config, (await find('datasetSource'))!, await find('evalDatasetSource'));
      const where = {
        modelFolder: deps.baseModel.folder,
        cacheFolder: folders.downloads,
        allowPrivateAddresses: !deps.exposed,
        // The token in the cloud's own environment is only for the cloud itself.
        hubToken: '',
      };
      const { effort = 'usual', finding = null, row: number = null, tokens = false, cursor = 0 } = body;
      const { limit = ROWS_PER_PAGE } = body;
      const skip = Number(cursor);
      const options = toRunOptions(config);
      const { maxLength, maxSteps, numTrainEpochs, batchSize, gradientAccumulationSteps, seed } = options;
      const plan = { maxSteps, numTrainEpochs, batchSize, gradientAccumulationSteps };
      const about = { ...where, ...data, ...plan, maxLength, seed, folder: folders.downloads, effort };
      const shown = { finding, number, skip, limit, tokens: tokens ? MOST_TOKENS : 0 };
      const found = await files.run(
        'previewData',
        { request: { ...about, method: config.method?.type }, query: shown },
        { caller: orgId, signal },
      );
      const measured: Omit<TrainTask['request'], 'folder'> = {
        ...where,
        ...data,
        modelName: deps.baseModel.name,
        options,
        roundedFolder: folders.rounded,
      };
      const measurement = body.measure
        ? await meter.measure(measured, sizeOf(found.report, options), signal)
        : null;
      return { ...toPreview(found), nextCursor: nextCursor(skip, found), measurement };
    },
  };
}

function toData(config: StoredConfig, source: EngineSource, evaluationSource: EngineSource | undefined) {
  return {
    source,
    evaluationSource,
    evaluationFraction: config.evalFraction,
    trainOn: config.trainOnResponsesOnly ? ('assistant' as const) : ('all' as const),
    tooLong: config.tooLong,
  };
}

/** Of a sample, the tokens of all rows are estimated. */
function sizeOf(
  { training, totalSteps }: PreviewedData['report'],
  { batchSize, gradientAccumulationSteps }: RunOptions,
): RunSize {
  const { rows, checked, tokens } = training;
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
  const firstOf = (name: string) => named.find(entry => entry.name === name)?.rows ?? [];
  return {
    report: { ...counts, findings: findings.map(entry => ({ ...entry, first: firstOf(entry.name) })) },
    rows: rows.map(({ isTrained, tokens: seen, texts, ...row }) => ({
      ...row,
      side: isTrained ? 'training' : 'evaluation',
      seen,
      views: texts.map(({ pieces, ...text }) => ({ ...text, tokens: pieces })),
    })),
    total,
  };
}

type EngineSource = TrainTask['request']['source'];

const MOST_DOWNLOADS = 32;

/**
 * Finds where the rows of a data set are that no job reads yet. What a URL serves is downloaded once for each caller
 * while the cloud runs, so that the pages of a preview show the same rows.
 */
function createSourceFinder({ db, deps, files, folders }: JobContext) {
  const downloads = new Map<string, DataFile>();

  async function findUpload(orgId: string, datasetId: string, field: string): Promise<EngineSource> {
    const dataset = await db
      .selectFrom('datasets')
      .select(['sha256', 'file_name'])
      .where('id', '=', datasetId)
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    if (dataset)
      return { type: 'file', path: join(folders.datasets, dataset.sha256), fileName: dataset.file_name };
    throw new ApiError('dataset_invalid', `Data set ${datasetId} not found; upload it first.`, {
      param: `${field}.datasetId`,
    });
  }

  async function download(
    orgId: string,
    source: Extract<DatasetSource, { type: 'blob' }>,
    signal: AbortSignal,
  ): Promise<EngineSource> {
    const key = JSON.stringify([orgId, source]);
    const options = { cacheFolder: folders.downloads, allowPrivateAddresses: !deps.exposed };
    const file =
      downloads.get(key) ?? (await files.run('download', { source, options }, { caller: orgId, signal }));
    downloads.delete(key);
    downloads.set(key, file);
    if (downloads.size > MOST_DOWNLOADS) downloads.delete(downloads.keys().next().value!);
    return { type: 'file', path: file.path, fileName: file.name };
  }

  async function locate(
    orgId: string,
    source: DatasetSource,
    field: string,
    signal: AbortSignal,
  ): Promise<EngineSource> {
    switch (source.type) {
      case 'upload':
        return findUpload(orgId, source.datasetId, field);
      case 'blob':
        return download(orgId, source, signal);
      case 'huggingface': {
        const { name, split, subset } = source;
        return { type: 'huggingface', name, split, subset };
      }
    }
  }

  /** `field` is the source's place in the request, for errors. */
  return async (orgId: string, source: DatasetSource, field: string, signal: AbortSignal) => {
    const found = await locate(orgId, source, field, signal);
    return source.columns ? { ...found, columns: source.columns } : found;
  };
}
