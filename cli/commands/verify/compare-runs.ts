// Compares a run with its repetition: which inputs changed, and which losses and rewards differ. Pure.
import { isDeepStrictEqual } from 'node:util';
import {
  type JobEvent,
  type RunEnvironment,
  type RunManifest,
  startOf,
} from '../../../lib/contract/index.js';

/** The allowed difference between different machines, relative to the loss (or to 1 for smaller losses). */
export const TOLERANCE = 0.01;

/** Rewards first: where they differ, the losses do, too. */
const COMPARED = ['reward', 'evalReward', 'loss', 'evalLoss'] as const;

type Compared = (typeof COMPARED)[number];

/** Losses and rewards by step. */
export type LoggedLosses = ReadonlyMap<number, Readonly<Record<Compared, number | null>>>;

export interface ChangedInput {
  input: string;
  before: unknown;
  after: unknown;
}

export interface Difference {
  step: number;
  what: Compared;
  before: number | null;
  after: number | null;
}

export function lossesOf(events: readonly JobEvent[]): LoggedLosses {
  return new Map(
    events.flatMap(event => {
      if (event.type !== 'training.log') return [];
      const { step, reward = null, evalReward = null, loss = null, evalLoss = null } = event;
      return [[step, { reward, evalReward, loss, evalLoss }] as const];
    }),
  );
}

/** The last step that has any; 0 if none has. */
export function lastStepOf(losses: LoggedLosses): number {
  let last = 0;
  for (const step of losses.keys()) last = Math.max(last, step);
  return last;
}

/**
 * Whether both runs used the same processor, instruction set, threads and runtime throughout, and so compute
 * identical numbers.
 */
export function isSameKind(before: RunManifest, after: RunManifest): boolean {
  const kinds = [before, after].flatMap(({ run }) => run?.environments.map(kindOf) ?? [null]);
  return kinds.every(kind => kind !== null && isDeepStrictEqual(kind, kinds[0]));
}

function kindOf({ onnxruntime, machine }: RunEnvironment) {
  return { onnxruntime, ...machine };
}

/** Changed inputs, most likely causes first. */
export function findChangedInputs(before: RunManifest, after: RunManifest): ChangedInput[] {
  const [was, is] = [inputsOf(before), inputsOf(after)];
  return Object.keys({ ...was, ...is })
    .filter(input => !isDeepStrictEqual(was[input], is[input]))
    .map(input => ({ input, before: was[input] ?? null, after: is[input] ?? null }));
}

function inputsOf({ model, config, run, seed }: RunManifest): Record<string, unknown> {
  const environment = run?.environments.at(-1);
  const options = Object.entries(run?.options ?? {}).map(([name, value]) => [`option ${name}`, value]);
  return {
    data: run?.data.training.digest,
    'evaluation data': run?.data.evaluation?.digest ?? null,
    'replayed data': run?.data.replayed?.map(({ digest }) => digest).join(', ') ?? null,
    model: model.name,
    'model digest': model.digest,
    'adapter that it continues from': startOf(config)?.sha256 ?? null,
    seed,
    weights: run?.weights,
    ...Object.fromEntries(options),
    'svc version': environment?.svc.version,
    'svc digest': environment?.svc.digest,
    'Node.js': environment?.node,
    'ONNX Runtime': environment?.onnxruntime,
    ...Object.fromEntries(
      Object.entries(environment?.machine ?? {}).map(([name, value]) => [`machine ${name}`, value]),
    ),
  };
}

/** Compares the steps that both runs logged, up to `upTo`. */
export function findDifferences(
  before: LoggedLosses,
  after: LoggedLosses,
  { isExact, upTo }: { isExact: boolean; upTo: number },
): { compared: number; differences: Difference[] } {
  const differences: Difference[] = [];
  let compared = 0;
  for (const [step, was] of before) {
    const is = after.get(step);
    if (step > upTo || !is) continue;
    compared++;
    for (const what of COMPARED)
      if (!isEqual(was[what], is[what], isExact))
        differences.push({ step, what, before: was[what], after: is[what] });
  }
  return { compared, differences };
}

function isEqual(a: number | null, b: number | null, isExact: boolean): boolean {
  if (isExact || a === null || b === null) return a === b;
  return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a));
}
