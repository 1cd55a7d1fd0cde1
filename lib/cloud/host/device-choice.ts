// Chooses what this machine's runs and chats compute on: the GPU, if a trial of it has found that it computes what the CPU does
// and is faster. The trial's report is kept in the data folder until the machine or svc changes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock/index.js';
import type { CloudDevice, RunDevice } from '../../contract/index.js';
import {
  type DeviceProbe,
  type ProbeTask,
  type RunningProbe,
  startProbe,
  type WeightSetting,
} from '../../engine/index.js';
import { findGpu, type GpuFacts, readMachine, replaceFile } from '../../system/index.js';
import type { AnsweringDevice } from '../backends/local.js';
import { CloudError } from '../cloud-error.js';
import type { CloudDeps } from '../deps.js';
import type { ChooseDevice, DeviceSetting } from './devices.js';

export interface DeviceOptions {
  /** The cloud's data folder. */
  folder: string;
  version: string;
  baseModel: CloudDeps['baseModel'];
  setting: DeviceSetting;
  weights: WeightSetting;
  clock?: Clock | undefined;
  /** Tests play these. */
  find?: () => Promise<GpuFacts | null>;
  probe?: (task: ProbeTask, clock?: Clock) => RunningProbe;
}

/** What a trial of this machine's GPU has found, and what it depends on. */
export interface DeviceReport extends Omit<DeviceProbe, 'wasEnded'> {
  version: string;
  platform: string;
  arch: string;
  cpu: string;
  cores: number;
  gpu: GpuFacts | null;
  baseModel: string;
  weights: WeightSetting;
}

export interface DeviceChoice {
  choose: ChooseDevice;
  /** For chats, by what is known: they do not wait for a trial. A GPU that failed is not used until the cloud starts again. */
  answering: AnsweringDevice;
  read(): Promise<CloudDevice>;
  /** Throws a `CloudError` if a GPU is required and cannot be used. */
  require(): Promise<void>;
  /** Ends a trial. */
  close(): void;
}

const CPU: RunDevice = { type: 'cpu' };
/** A smaller gain is not worth other rounding. */
const LEAST_SPEEDUP = 1.05;

export function createDeviceChoice(options: DeviceOptions): DeviceChoice {
  const { folder, setting, weights, find = findGpu } = options;
  let trial: Promise<DeviceReport> | null = null;
  let fault: string | null = null;
  const closed = new AbortController();

  /** Null if it takes a trial. */
  async function readChoice(): Promise<Choice | null> {
    if (setting === 'cpu') return onCpu();
    if (setting === 'auto' && weights === 'int8') return onCpu(INT8);
    const facts = await find();
    if (setting === 'auto' && facts === null) return onCpu('This machine has no GPU.');
    const report = await readReport(folder, toKey(options, facts));
    return report && hasEnough(report) ? decide(report, setting) : null;
  }

  /** A trial for `gpu` measures no speed. */
  function hasEnough({ problem, findings }: DeviceReport): boolean {
    return setting === 'gpu' || problem !== null || findings.own !== undefined;
  }

  async function readAnswering(): Promise<Place> {
    const known = await readChoice();
    if (known === null) return { device: CPU, why: 'The GPU has not been compared with it yet.' };
    const isLost = fault !== null && known.answers.device.type === 'gpu';
    return isLost ? { device: { ...CPU, reason: fault! } } : known.answers;
  }

  async function choose(): Promise<Choice> {
    const known = await readChoice();
    if (known) return known;
    trial ??= tryDevice(options, setting === 'auto' ? 'speed' : 'nothing', closed.signal).finally(() => {
      trial = null;
    });
    return decide(await trial, setting);
  }

  return {
    async choose({ waitsFor }) {
      const known = await readChoice();
      if (known) return known.device;
      waitsFor('The GPU is being compared with the CPU.');
      const { device } = await choose();
      waitsFor(null);
      return device;
    },
    answering: {
      choose: async () => (await readAnswering()).device,
      leaveGpu(reason) {
        fault = reason;
      },
    },
    async read() {
      const [choice, answers] = [await readChoice(), describe(await readAnswering())];
      if (choice === null) return { setting, used: null, answers };
      return { setting, ...describe(choice), ...(setting !== 'cpu' && { answers }) };
    },
    async require() {
      if (setting !== 'gpu') return;
      const { device } = await choose();
      if (device.type === 'cpu')
        throw new CloudError('device', `${device.reason} Start with --device auto or cpu.`);
    },
    close: () => closed.abort(),
  };
}

interface Place {
  device: RunDevice;
  /** Why the CPU, where runs need not say so. */
  why?: string;
  speedup?: number;
}

/** Of runs, and of chats. */
interface Choice extends Place {
  answers: Place;
}

const INT8 = 'Weights in int8 are only for the CPU.';

function onCpu(why?: string): Choice {
  const place = { device: CPU, ...(why !== undefined && { why }) };
  return { ...place, answers: place };
}

function describe({ device: { type: used, ...about }, why, speedup }: Place) {
  return {
    used,
    ...(why !== undefined && { reason: why }),
    ...about,
    ...(speedup !== undefined && { speedup }),
  };
}

function decide({ gpu, problem, findings }: DeviceReport, setting: DeviceSetting): Choice {
  const { own, answering, answers } = findings;
  const onCpu = (reason: string): Place => ({ device: { ...CPU, reason } });
  const device: RunDevice = { type: 'gpu', ...(gpu?.name && { name: gpu.name }) };
  const place = (speedup: number | undefined, slower: string): Place => {
    if (setting === 'auto' && (speedup === undefined || speedup < LEAST_SPEEDUP)) return onCpu(slower);
    return { device, ...(speedup !== undefined && { speedup }) };
  };
  if (problem !== null) return { ...onCpu(problem), answers: onCpu(problem) };
  return {
    ...place(own && own.gpu / own.cpu, 'The CPU trains this base model faster than the GPU.'),
    answers: answering?.isRight
      ? place(answers && leastSpeedup(answers), 'The GPU is not faster at answering with this base model.')
      : onCpu('The GPU answers differently from the CPU.'),
  };
}

/** Chats should not become slower, neither one alone nor many at once. */
function leastSpeedup(answers: NonNullable<DeviceReport['findings']['answers']>): number {
  return Math.min(...Object.values(answers).map(({ gpu, cpu }) => gpu / cpu));
}

/** Tries the GPU now, even if it was tried before, and keeps the report. */
export async function tryDevice(
  options: Omit<DeviceOptions, 'setting'>,
  measures: ProbeTask['measures'],
  signal?: AbortSignal,
): Promise<DeviceReport> {
  const { folder, baseModel, weights, clock, find = findGpu, probe = startProbe } = options;
  const key = toKey(options, await find());
  const running = probe({ modelFolder: baseModel.folder, weights, measures }, clock);
  signal?.addEventListener('abort', running.kill, { once: true });
  const { wasEnded = false, ...found } = await running.ended;
  signal?.throwIfAborted();
  const report: DeviceReport = { ...key, ...found };
  if (wasEnded) return report;
  // Without it, the next run tries the GPU again.
  await replaceFile(pathIn(folder), `${JSON.stringify(report, null, 2)}\n`).catch(() => {});
  return report;
}

type Key = Omit<DeviceReport, 'findings' | 'problem'>;

/** What a report depends on. */
function toKey({ version, baseModel, weights }: Omit<DeviceOptions, 'setting'>, gpu: GpuFacts | null): Key {
  return {
    version,
    ...readMachine(),
    gpu,
    baseModel: baseModel.digest ?? baseModel.name,
    weights,
  };
}

const pathIn = (folder: string) => join(folder, 'device.json');

/** Null if there is none for this machine. */
async function readReport(folder: string, key: Key): Promise<DeviceReport | null> {
  const text = await readFile(pathIn(folder), 'utf8').catch(() => null);
  const report = text === null ? null : parse(text);
  const isSame =
    report && Object.entries(key).every(([name, value]) => isSameJson(report[name as keyof Key], value));
  return isSame ? report : null;
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function parse(text: string): DeviceReport | null {
  try {
    return JSON.parse(text) as DeviceReport;
  } catch {
    return null;
  }
}
