// What the machine says of its GPU, without loading a driver, which may crash.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { arch, cpus, freemem, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface GpuFacts {
  /** Such as `NVIDIA H100 80GB HBM3`; null where only a driver knows. */
  name: string | null;
  /** Changes with the driver. */
  driver: string;
}

/** Where to look on Linux; tests have another place. */
interface Places {
  root?: string;
  env?: NodeJS.ProcessEnv;
}

/** Null if there is no sign of one. Says nothing about whether it can be used. */
export async function findGpu({ root = '/', env = process.env }: Places = {}): Promise<GpuFacts | null> {
  if (platform() === 'darwin') {
    // The GPU of Apple silicon is a part of its chip.
    return { name: arch() === 'arm64' ? (cpus()[0]?.model ?? null) : null, driver: release() };
  }
  if (platform() === 'win32') return { name: null, driver: release() };
  return findOnLinux(root, env);
}

const CHOSEN_DRIVERS = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES', 'VK_ADD_DRIVER_FILES'];
const VENDORS: Readonly<Record<string, string>> = {
  '0x10de': 'NVIDIA',
  '0x1002': 'AMD',
  '0x8086': 'Intel',
};

async function findOnLinux(root: string, env: NodeJS.ProcessEnv): Promise<GpuFacts | null> {
  const nvidia = await findNvidia(root);
  const cards = await findCards(root);
  const chosen = CHOSEN_DRIVERS.flatMap(name => env[name] || []);
  const wsl = (await list(join(root, 'dev'))).includes('dxg') ? ['WSL'] : [];
  const facts = [...(nvidia ? [nvidia.driver] : []), ...cards, ...wsl, ...chosen, release()];
  if (facts.length === 1) return null;
  return { name: nvidia?.name ?? cards[0] ?? null, driver: facts.join(', ') };
}

async function findNvidia(root: string): Promise<GpuFacts | null> {
  const folder = join(root, 'proc/driver/nvidia');
  const [first] = await list(join(folder, 'gpus'));
  if (first === undefined) return null;
  const about = await read(join(folder, 'gpus', first, 'information'));
  const [version = ''] = (await read(join(folder, 'version'))).split('\n');
  return { name: /^Model:\s*(.+?)\s*$/m.exec(about)?.[1] ?? 'NVIDIA', driver: version };
}

/** Such as `AMD 0x744c`. */
async function findCards(root: string): Promise<string[]> {
  const names = (await listCards(root)).map(async card => {
    const [vendor, device] = await Promise.all(
      ['vendor', 'device'].map(async fact => (await read(join(card, fact))).trim()),
    );
    return vendor ? `${VENDORS[vendor] ?? vendor} ${device}` : [];
  });
  return (await Promise.all(names)).flat();
}

/** What a GPU that says nothing is thought to have. */
const UNKNOWN_MEMORY = 4 * 2 ** 30;

/** The memory of the GPU that is free, in bytes, as far as the machine says. */
export async function readGpuMemory({ root = '/', env = process.env }: Places = {}): Promise<number> {
  // Apple's GPUs share the machine's memory; a part of it stays with the rest of the system. Others may have their own.
  const shared = platform() === 'darwin' ? totalmem() / 2 : Math.min(freemem() / 2, UNKNOWN_MEMORY);
  return (await readNvidiaMemory(env)) ?? (await readCardMemory(root)) ?? shared;
}

async function readNvidiaMemory(env: NodeJS.ProcessEnv): Promise<number | null> {
  const query = ['--query-gpu=memory.free', '--format=csv,noheader,nounits'];
  const found = await promisify(execFile)('nvidia-smi', query, { timeout: 5000, env }).catch(() => null);
  const mebibytes = Number.parseInt(found?.stdout ?? '', 10);
  return mebibytes > 0 ? mebibytes * 2 ** 20 : null;
}

/** As AMD's driver says it. */
async function readCardMemory(root: string): Promise<number | null> {
  for (const card of await listCards(root)) {
    const [total, used] = await Promise.all(
      ['mem_info_vram_total', 'mem_info_vram_used'].map(async fact => Number(await read(join(card, fact)))),
    );
    if (total! > used!) return total! - used!;
  }
  return null;
}

/** The folders of the cards' devices. */
async function listCards(root: string): Promise<string[]> {
  const folder = join(root, 'sys/class/drm');
  const cards = (await list(folder)).filter(name => /^card\d+$/.test(name)).sort();
  return cards.map(card => join(folder, card, 'device'));
}

const list = (folder: string) => readdir(folder).catch((): string[] => []);
const read = (path: string) => readFile(path, 'utf8').catch(() => '');
