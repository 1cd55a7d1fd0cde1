// How large the passes on a GPU may be: by its memory, and by its largest buffer.
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { freemem, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ModelConfig } from '../../model/index.js';
import type { SessionOptions } from '../../runtime/index.js';
import { bytesOfToken } from '../pass-size.js';
import { findLargestBuffer } from './largest-buffer.js';

export interface DeviceLimits {
  /** Of a tensor, in bytes. */
  largestTensor: number;
  /** In bytes. */
  memory: number;
}

/** The largest pass; larger ones gain little. */
export const LARGEST_DEVICE_PASS = 8192;
const SMALLEST_DEVICE_PASS = 256;

/** What every WebGPU device can bind. */
const GUARANTEED_BUFFER = 128 * 2 ** 20;

/** The share of the memory for activations; weights, gradients and what the runtime keeps for reuse take the rest. */
const ACTIVATIONS = 0.5;

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** The most tokens to compute in a pass with lines of up to this length. */
export function devicePassTokens(
  config: ModelConfig,
  longestLine: number,
  weightBytes: number,
  { largestTensor, memory }: DeviceLimits,
): number {
  const room = (memory - weightBytes) * ACTIVATIONS;
  const scores = FLOAT * config.heads * longestLine;
  const tokens = Math.min(LARGEST_DEVICE_PASS, room / bytesOfToken(config), largestTensor / scores);
  return Math.max(SMALLEST_DEVICE_PASS, Math.floor(tokens));
}

/** How many tokens of the vocabulary have their logits in one tensor, for up to this many labels. */
export function logitsAtOnce(vocabulary: number, labels: number, { largestTensor }: DeviceLimits): number {
  const parts = Math.ceil((FLOAT * vocabulary * labels) / largestTensor);
  return Math.ceil(vocabulary / parts / 64) * 64;
}

/** For tensors of up to `needed` bytes: how large they may be, as computed right by this device. */
export async function readDeviceLimits(
  needed: number,
  compute: Pick<SessionOptions, 'provider'>,
): Promise<DeviceLimits> {
  let largestTensor = GUARANTEED_BUFFER;
  if (needed > largestTensor)
    await findLargestBuffer(compute, needed, async bytes => {
      largestTensor = bytes;
    });
  return { largestTensor, memory: await readDeviceMemory() };
}

/** The memory of the GPU that is free, in bytes, as far as this machine says. */
async function readDeviceMemory(): Promise<number> {
  // Apple's and other integrated GPUs share the machine's memory; a part of it stays with the rest of the system.
  return (
    (await nvidiaMemory()) ?? (await amdMemory()) ?? (platform() === 'darwin' ? totalmem() : freemem()) / 2
  );
}

async function nvidiaMemory(): Promise<number | null> {
  const query = ['--query-gpu=memory.free', '--format=csv,noheader,nounits'];
  const found = await promisify(execFile)('nvidia-smi', query, { timeout: 5000 }).catch(() => null);
  const mebibytes = Number.parseInt(found?.stdout ?? '', 10);
  return mebibytes > 0 ? mebibytes * 2 ** 20 : null;
}

const CARDS = '/sys/class/drm';

async function amdMemory(): Promise<number | null> {
  const read = async (card: string, name: string) =>
    Number(await readFile(join(CARDS, card, 'device', name), 'utf8').catch(() => 0));
  for (const card of await readdir(CARDS).catch((): string[] => [])) {
    const free = (await read(card, 'mem_info_vram_total')) - (await read(card, 'mem_info_vram_used'));
    if (free > 0) return free;
  }
  return null;
}
