// Trains on the device that a task asks for. A GPU whose memory runs out continues from the last checkpoint with smaller passes,
// and one that fails is left for the CPU, which continues from there; one whose process died is not used again by the run.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunDevice } from '../../contract/index.js';
import { readProcessFields, replaceFile, unlessMissing } from '../../system/index.js';
import { GPU_MARK } from '../run-layout.js';
import { DeviceError } from '../runtime/index.js';
import {
  GpuMemoryError,
  HalfRangeError,
  NotFiniteError,
  type TrainEvent,
  type TrainJob,
  train,
} from '../train/index.js';

export type Started = Extract<TrainEvent, { type: 'started' }> & { device: RunDevice };

export type DeviceEvent = Exclude<TrainEvent, { type: 'started' }> | Started;

/** `folder` is the run's, even if the job works in another one. */
export async function* trainOnDevice(
  job: TrainJob,
  folder: string,
  wanted: RunDevice = { type: job.options.provider === 'webgpu' ? 'gpu' : 'cpu' },
): AsyncGenerator<DeviceEvent> {
  if (wanted.type === 'cpu') return yield* trainOn(wanted, job);
  const mark = await markGpu(folder);
  if (mark === null) return yield* trainOn(toCpu('Its process died when it last used the GPU.'), job);
  try {
    return yield* trainInRoom(wanted, job);
  } catch (error) {
    if (job.signal?.aborted || !isDeviceFault(error)) throw error;
    yield* continueOnCpu(error as Error, mark, job);
  } finally {
    await mark.remove();
  }
}

/** The mark is removed first: the GPU is not used anymore. */
async function* continueOnCpu(fault: Error, mark: Mark, job: TrainJob): AsyncGenerator<DeviceEvent> {
  await mark.remove();
  yield* trainOn(toCpu(fault.message), job);
}

/** In passes that have room, with weights that fit. */
async function* trainInRoom(device: RunDevice, job: TrainJob): AsyncGenerator<DeviceEvent> {
  try {
    yield* trainOn(device, job);
  } catch (error) {
    if (job.signal?.aborted) throw error;
    if (error instanceof HalfRangeError) {
      const options = { ...job.options, weights: 'f32' } as const;
      return yield* trainInRoom({ ...device, reason: error.message }, { ...job, options });
    }
    if (!(error instanceof GpuMemoryError)) throw error;
    const { passTokens: mostPassTokens } = error;
    const reason = `Its memory ran out. Passes now have up to ${mostPassTokens} tokens.`;
    yield* trainInRoom({ ...device, reason }, { ...job, options: { ...job.options, mostPassTokens } });
  }
}

const toCpu = (reason: string): RunDevice => ({ type: 'cpu', reason });

async function* trainOn(device: RunDevice, job: TrainJob): AsyncGenerator<DeviceEvent> {
  const provider = providerOf(device);
  // The CPU has no float16: a run that leaves the GPU goes on in float32.
  const weights = provider === 'cpu' && job.options.weights === 'f16' ? 'f32' : job.options.weights;
  const options = { ...job.options, provider, weights };
  for await (const event of train({ ...job, options }))
    yield event.type === 'started' ? { ...event, device } : event;
}

export function providerOf({ type }: RunDevice): TrainJob['options']['provider'] {
  return type === 'gpu' ? 'webgpu' : 'cpu';
}

/** Faults that the CPU may not have. Others, such as bad rows or full disks, would occur there, too. */
function isDeviceFault(error: unknown): boolean {
  return error instanceof DeviceError || error instanceof NotFiniteError;
}

interface Mark {
  remove(): Promise<void>;
}

interface MarkContent {
  /** The process that started the one that used the GPU, by number and start. */
  parent: string;
  /** An earlier mark was forgiven. */
  isSecond: boolean;
}

/**
 * Marks that this process uses the GPU; null if another one did and died. If its parent is gone, too, the whole cloud or
 * machine stopped, which is forgiven once, since a driver can stop a machine. @internal
 */
export async function markGpu(folder: string, parent = identifyParent()): Promise<Mark | null> {
  const path = join(folder, GPU_MARK);
  const text = await unlessMissing(readFile(path, 'utf8'), null);
  const found = text === null ? null : (JSON.parse(text) as MarkContent);
  if (found && (found.isSecond || found.parent === parent)) return null;
  await mkdir(folder, { recursive: true });
  const content: MarkContent = { parent, isSecond: found !== null };
  await replaceFile(path, JSON.stringify(content));
  return { remove: () => rm(path, { force: true }) };
}

/** Of the fields of a process: when it started, in ticks. */
const START = 19;

/** In a container, the cloud has the same number after each start. */
function identifyParent(): string {
  const startedAt = readProcessFields(process.ppid)?.[START] ?? '';
  return `${process.ppid} ${startedAt}`;
}
