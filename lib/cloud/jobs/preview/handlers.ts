// The route that shows what a job would train on. It creates no job and keeps nothing.
import type { CloudRoutes, DataPreview, JobConfigInput } from '../../../contract/index.js';
import type { PreviewedData, TrainTask } from '../../../engine/index.js';
import type { Handlers } from '../../../http/index.js';
import type { Access } from '../../access.js';
import { requireModel } from '../create-job.js';
import { completeOptions, type StoredConfig } from '../defaults.js';
import type { JobContext } from '../job-context.js';
import { toOptions } from '../run-document.js';
import { createSourceFinder, type EngineSource, explain } from './find-source.js';
import { createRunMeter, type RunSize } from './measure-run.js';

export type PreviewRoutes = Pick<CloudRoutes, 'previewData'>;

const ROWS_PER_PAGE = 20;
/** Of one row; longer ones say how many tokens are left out. */
const MOST_TOKENS = 8192;

export function previewHandlers(context: JobContext & { access: Access }): Handlers<PreviewRoutes> {
  const { access, files, folders, deps } = context;
  const sources = createSourceFinder(context);
  const meter = createRunMeter(context);

  return {
    async previewData({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const { signal } = request;
      requireModel(body.config.model, deps.baseModel.name);
      const config = completeOptions(body.config);
      const find = (field: 'datasetSource' | 'evalDatasetSource') => {
        const source = config[field];
        return source && sources.find(orgId, source, `config.${field}`, signal);
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
      const { maxLength, maxSteps, epochs, batchSize, accumulation, seed } = toOptions(config);
      const options = { maxLength, maxSteps, epochs, batchSize, accumulation, seed };
      const found = await explain(
        files.run(
          'previewData',
          {
            request: {
              ...where,
              ...data,
              ...options,
              method: config.method?.type,
              folder: folders.downloads,
              effort,
            },
            query: { finding, number, skip, limit, tokens: tokens ? MOST_TOKENS : 0 },
          },
          { caller: orgId, signal },
        ),
      );
      const measured: Omit<TrainTask['request'], 'folder'> = {
        ...where,
        ...data,
        modelName: deps.baseModel.name,
        options: toOptions(config),
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
    tooLong: config.tooLong as NonNullable<JobConfigInput['tooLong']>,
  };
}

/** Of a sample, the tokens of all rows are estimated. */
function sizeOf(
  { training, totalSteps }: PreviewedData['report'],
  { batchSize, accumulation }: { batchSize: number; accumulation: number },
): RunSize {
  const { rows, checked, tokens } = training;
  const perRow = checked === 0 ? 0 : tokens / checked;
  const steps = Math.max(1, Math.ceil(rows / (batchSize * accumulation)));
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
