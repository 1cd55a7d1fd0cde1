// Chooses what this machine's runs compute on: the GPU, if a trial of it has found that it computes what the CPU does and
// trains faster. The trial's report is kept in the data folder until the machine or svc changes.
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
  const closed = new AbortController();

  /** Null if it takes a trial. */
  async function readChoice(): Promise<Choice | null> {
    if (setting === 'cpu') return { device: CPU };
    if (setting === 'auto' && weights === 'int8') return { device: CPU, why: INT8 };
    const facts = await find();
    if (setting === 'auto' && facts === null) return { device: CPU, why: 'This machine has no GPU.' };
    const report = await readReport(folder, toKey(options, facts));
    return report && hasEnough(report) ? decide(report, setting) : null;
  }

  /** A trial for `gpu` measures no speed. */
  function hasEnough({ problem, findings }: DeviceReport): boolean {
    return setting === 'gpu' || problem !== null || findings.own !== undefined;
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
    async read() {
      const choice = await readChoice();
      if (choice === null) return { setting, used: null };
      const {
        device: { type: used, ...about },
        why,
        speedup,
      } = choice;
      return {
        setting,
        used,
        ...(why !== undefined && { reason: why }),
        ...about,
        ...(speedup && { speedup }),
      };
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

interface Choice {
  device: RunDevice;
  /** Why the CPU, where runs need not say so. */
  why?: string;
  speedup?: number;
}

const INT8 = 'Weights in int8 are only for the CPU.';

function decide({ gpu, problem, findings: { own } }: DeviceReport, setting: DeviceSetting): Choice {
  if (problem !== null) return { device: { ...CPU, reason: problem } };
  const speedup = own && own.gpu / own.cpu;
  if (setting === 'auto' && (speedup === undefined || speedup < LEAST_SPEEDUP))
    return { device: { ...CPU, reason: 'The CPU trains this base model faster than the GPU.' } };
  const device: RunDevice = { type: 'gpu', ...(gpu?.name && { name: gpu.name }) };
  return { device, ...(speedup !== undefined && { speedup }) };
}

/** Tries the GPU now, whatever is known of it, and keeps the report. */
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
