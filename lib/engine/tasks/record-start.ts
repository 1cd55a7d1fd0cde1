// Writes a run's manifest into its folder: its data and options, and the environment of each attempt. That is all it takes
// to reproduce the losses.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunDevice, RunEnvironment, RunRecord } from '../../contract/index.js';
import { findPackage, isSource, readMachine, replaceFile } from '../../system/index.js';
import { chosenThreads } from '../environment.js';
import type { TrainTask } from '../process/messages.js';
import { RUN_MANIFEST } from '../run-layout.js';
import { runtimeVersion } from '../runtime/index.js';
import type { TrainJob } from '../train/index.js';
import { providerOf, type Started } from './train-on-device.js';

interface Prepared {
  job: Pick<TrainJob, 'options'>;
  data: readonly RunRecord['data']['training'][];
  replayed: readonly RunRecord['data']['training'][];
}

export async function recordStart(
  { folder }: Pick<TrainTask['request'], 'folder'>,
  { job, data, replayed }: Prepared,
  { weights = 'f32', resumedFromStep, device }: Started,
): Promise<void> {
  const path = join(folder, RUN_MANIFEST);
  const options = { ...job.options, provider: providerOf(device) };
  const current = { fromStep: resumedFromStep ?? 0, ...(await readEnvironment(options, device)) };
  const known = resumedFromStep === null ? [] : await readEnvironments(path);
  const before = known.filter(({ fromStep }) => fromStep < current.fromStep);
  const isSame = before.length > 0 && identityOf(before.at(-1)!) === identityOf(current);
  const [training, evaluation = null] = data;
  const manifest: RunRecord & { format: 1 } = {
    format: 1,
    data: { training: training!, evaluation, ...(replayed.length > 0 && { replayed: [...replayed] }) },
    weights,
    options,
    environments: isSame ? before : [...before, current],
  };
  await replaceFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

async function readEnvironments(path: string): Promise<RunEnvironment[]> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text === null ? [] : (JSON.parse(text) as RunRecord).environments;
}

function identityOf({ fromStep: _, ...environment }: RunEnvironment): string {
  return JSON.stringify(environment);
}

/** The environment that a run's results depend on: software versions and the machine. */
async function readEnvironment(
  { threads, provider }: TrainJob['options'],
  device: RunDevice,
): Promise<Omit<RunEnvironment, 'fromStep'>> {
  const root = findPackage();
  const { version } = await readVersion(join(root, 'package.json'));
  return {
    svc: { version, digest: await digestCode(root) },
    node: process.versions.node,
    onnxruntime: runtimeVersion(),
    machine: {
      ...readMachine(),
      features: await readFeatures(),
      threads: threads ?? chosenThreads() ?? null,
      provider,
      ...(device.type === 'gpu' && device.name !== undefined && { gpu: device.name }),
    },
  };
}

async function readVersion(path: string): Promise<{ version: string }> {
  return JSON.parse(await readFile(path, 'utf8')) as { version: string };
}

/** The digest of all training code: the built files, or the sources. */
async function digestCode(root: string): Promise<string> {
  const [folder, ending] = isSource ? [join(root, 'lib'), '.ts'] : [join(root, 'dist'), '.js'];
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith(ending));
  const hash = createHash('sha256');
  for (const name of names.sort())
    hash
      .update(`${name}\0`)
      .update(await readFile(join(folder, name)))
      .update('\0');
  return hash.digest('hex');
}

const RELEVANT = /^(?:avx|fma|sse4|amx|f16c|asimd|sve|i8mm|bf16|fphp)/;

async function readFeatures(): Promise<string[]> {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  const flags = /^(?:flags|Features)\s*:(.*)$/m.exec(text)?.[1] ?? '';
  return flags
    .split(/\s+/)
    .filter(flag => RELEVANT.test(flag))
    .sort();
}
