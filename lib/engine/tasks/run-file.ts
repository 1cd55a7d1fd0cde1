// The file that tells a run's process on another machine what to do: the document of the run, and where its files are.
import { availableParallelism } from 'node:os';
import type { RunDocument } from '../../contract/index.js';
import type { TokenFacts } from '../train/index.js';
import type { TokenTask } from './train-task.js';

/** @internal */
export interface RunFile {
  run: RunDocument;
  modelFolder: string;
  rows: TokenFacts & { trainingPath: string; evaluationPath: string | null };
  /** The folder to work in, with the checkpoint to resume from, if any. */
  folder: string;
}

export function readRunFile(text: string): TokenTask {
  const { run, modelFolder, rows, folder } = JSON.parse(text) as RunFile;
  const { name, data, tooLong, fingerprint, reading, trainingPath, evaluationPath } = rows;
  return {
    jobId: run.jobId,
    dryRun: run.dryRun,
    request: {
      tokens: { name, data, tooLong, fingerprint, reading, trainingPath, evaluationPath },
      modelFolder,
      modelName: run.model.name,
      options: { ...run.options, threads: threadsOf(run) },
      folder,
    },
  };
}

/** As many as it was given CPUs: others share the machine. The results are the same. */
function threadsOf({ resources: { cpus = 1 } }: RunDocument): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(cpus)));
}
