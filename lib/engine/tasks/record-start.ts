// Writes the manifest of a run into its folder: which data and options it trains with, and what each of its attempts ran
// on. Together they say what to repeat for the same losses.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../system/index.js';
import type { TrainTask } from '../process/messages.js';
import { RUN_MANIFEST } from '../run-layout.js';
import type { TrainEvent, TrainJob } from '../train/index.js';
import { type Environment, readEnvironment } from './read-environment.js';

export type Started = Extract<TrainEvent, { type: 'started' }>;

interface DataSet {
  digest: string;
  rows: number;
}

/** What a run was, apart from its results. */
interface RunManifest {
  format: 1;
  data: { training: DataSet; evaluation: DataSet | null };
  weights: string;
  options: Record<string, unknown>;
  /** A new one whenever the run resumed on other software or another machine. */
  environments: (Environment & { fromStep: number })[];
}

interface Prepared {
  job: Pick<TrainJob, 'options'>;
  data: readonly DataSet[];
}

export async function recordStart(
  { folder }: Pick<TrainTask['request'], 'folder'>,
  { job, data }: Prepared,
  { weights = 'f32', resumedFromStep }: Started,
): Promise<void> {
  const path = join(folder, RUN_MANIFEST);
  const current = { fromStep: resumedFromStep ?? 0, ...(await readEnvironment(job.options)) };
  const known = resumedFromStep === null ? [] : await readEnvironments(path);
  const before = known.filter(({ fromStep }) => fromStep < current.fromStep);
  const isSame = before.length > 0 && identityOf(before.at(-1)!) === identityOf(current);
  const [training, evaluation = null] = data as [DataSet, DataSet?];
  const manifest: RunManifest = {
    format: 1,
    data: { training, evaluation },
    weights,
    options: { ...job.options },
    environments: isSame ? before : [...before, current],
  };
  await replaceFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

async function readEnvironments(path: string): Promise<RunManifest['environments']> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? [] : (JSON.parse(text) as RunManifest).environments;
}

function identityOf({ fromStep: _, ...environment }: Environment & { fromStep: number }): string {
  return JSON.stringify(environment);
}
