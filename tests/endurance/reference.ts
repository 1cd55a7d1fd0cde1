// The job that all others of a long run repeat: trained once while nobody disturbs anything.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job, JobConfigInput, JobEvent } from '../../lib/contract/index.js';
import type { Ended } from '../support/program.js';
import type { Home } from './home.js';
import type { NumberedEvent } from './judge.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = `import { createService, createTrainer } from 'svc';
export const service = createService({
  trainer: createTrainer({
    name: 'reference',
    dataset: { type: 'file', path: 'data/train.jsonl' },
    maxLength: 64,
    maxSteps: 160,
    saveSteps: 20,
    evalSteps: 40,
    evalFraction: 0.2,
    batchSize: 8,
    learningRate: 2e-3,
  }),
});
`;

export interface Reference {
  /** What it was made of: with it, others are made the same. */
  config: JobConfigInput;
  log: NumberedEvent[];
}

export async function trainReference(home: Home): Promise<Reference> {
  const { cwd } = home.place;
  await home.wake();
  mustSucceed(await home.svc('init'));
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
  const { stdout } = mustSucceed(await home.svc('start', '--json'));
  const events = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as JobEvent);
  const { stdout: shown } = mustSucceed(await home.svc('jobs', 'show', events[0]!.jobId, '--json'));
  const { job } = JSON.parse(shown) as { job: Job };
  return {
    config: job.config as JobConfigInput,
    log: events.map((event, i) => ({ seq: i + 1, event })),
  };
}

export function mustSucceed(end: Ended): Ended {
  if (end.exitCode !== 0) throw new Error(`svc ended with ${end.exitCode}:\n${end.stdout}\n${end.stderr}`);
  return end;
}
