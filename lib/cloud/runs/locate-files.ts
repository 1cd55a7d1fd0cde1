// Finds the files that a run's document names on this machine, for a process that trains here.
import { join } from 'node:path';
import type { RunDocument, RunSource } from '../../contract/index.js';
import type { TrainTask } from '../../engine/index.js';
import type { CloudDeps } from '../deps.js';
import type { Folders } from '../disk/folders.js';

export function locateFiles(
  { deps, folders }: { deps: Pick<CloudDeps, 'baseModel' | 'exposed'>; folders: Folders },
  run: RunDocument,
): TrainTask {
  const { training, evaluation, evaluationFraction, trainOn, tooLong } = run.data;
  return {
    jobId: run.jobId,
    dryRun: run.dryRun,
    request: {
      source: locate(folders, training),
      evaluationSource: evaluation ? locate(folders, evaluation) : undefined,
      modelFolder: deps.baseModel.folder,
      modelName: run.model.name,
      evaluationFraction: evaluationFraction ?? undefined,
      trainOn,
      tooLong,
      options: run.options,
      folder: folders.job(run.jobId),
      cacheFolder: folders.downloads,
      roundedFolder: folders.rounded,
      allowPrivateAddresses: !deps.exposed,
      // The token in the cloud's own environment is only for the cloud itself.
      hubToken: '',
      attempt: run.attempt,
    },
  };
}

function locate(folders: Folders, source: RunSource): TrainTask['request']['source'] {
  const { columns } = source;
  switch (source.type) {
    case 'file':
      return {
        type: 'file',
        path: join(folders.datasets, source.sha256),
        fileName: source.fileName,
        columns,
      };
    case 'download':
      return {
        type: 'file',
        path: join(folders.downloads, source.name),
        fileName: source.fileName ?? undefined,
        columns,
      };
    case 'huggingface':
      return source;
  }
}
