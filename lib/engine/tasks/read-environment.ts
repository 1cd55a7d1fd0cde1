// What a run's results depend on besides its task: the versions of the software, and the machine.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { findPackage, isSource } from '../../system/index.js';
import { chosenThreads } from '../environment.js';
import { runtimeVersion } from '../runtime/index.js';

export interface Environment {
  svc: { version: string; digest: string };
  node: string;
  onnxruntime: string;
  machine: {
    platform: string;
    arch: string;
    cpu: string;
    /** The processor's instruction sets that change how numbers are computed; empty where the system does not list them. */
    features: string[];
    cores: number;
    /** Null for the runtime's default. */
    threads: number | null;
    provider: string;
  };
}

interface ComputeOptions {
  threads: number | undefined;
  provider: string;
}

export async function readEnvironment({ threads, provider }: ComputeOptions): Promise<Environment> {
  const root = findPackage();
  const { version } = await readVersion(join(root, 'package.json'));
  return {
    svc: { version, digest: await digestCode(root) },
    node: process.versions.node,
    onnxruntime: runtimeVersion,
    machine: {
      platform: platform(),
      arch: arch(),
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      features: await readFeatures(),
      cores: availableParallelism(),
      threads: threads ?? chosenThreads() ?? null,
      provider,
    },
  };
}

async function readVersion(path: string): Promise<{ version: string }> {
  return JSON.parse(await readFile(path, 'utf8')) as { version: string };
}

/** Of all code that trains: the built files, or the sources. */
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
