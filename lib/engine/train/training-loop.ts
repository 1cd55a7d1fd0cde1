// The training loop, whatever it trains: optimizer steps, logs, evaluations and checkpoints, as an iterable of events. A
// run that finds its own checkpoints resumes from the last one with exactly the same results.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AdamWState, createAdamWState } from './adamw.js';
import type { BackgroundReader, Preparing } from './background-reader.js';
import {
  clearPartials,
  listCheckpoints,
  loadCheckpoint,
  type Progress,
  pruneCheckpoints,
  readProgress,
  saveCheckpoint,
} from './checkpoint.js';
import type { Evaluator } from './evaluate.js';
import { createGrowingRunner, type GrowingRunner } from './growing-runner.js';
import { createLossWindow, roundToFloat32 } from './loss-window.js';
import { assertFinite, takeStep } from './optimizer-step.js';
import type { TrainOptions } from './options.js';
import type { Example, PassShape } from './packing.js';
import type { LongRows } from './row-sweep.js';
import { createOwnerCheck } from './run-owner.js';
import { saveWhenPossible } from './save-when-possible.js';
import { scheduleFactor } from './schedule.js';
import { createState, type ParameterState } from './state.js';
import type { StepRunner } from './step-runner.js';

export type LoopOptions = Pick<
  TrainOptions,
  | 'learningRate'
  | 'schedule'
  | 'warmupSteps'
  | 'weightDecay'
  | 'maxGradientNorm'
  | 'loggingSteps'
  | 'saveSteps'
  | 'evalSteps'
  | 'keepCheckpoints'
  | 'seed'
>;

export interface TrainingLoop<S extends ParameterState = ParameterState> {
  plan: { totalSteps: number; stepsPerEpoch: number };
  /** The rows of a step; steps count from 0. */
  examplesOf(step: number): Example[];
  /** The shape to start with; it grows when rows do not fit. */
  shape: PassShape;
  /** In tokens; no row is longer. */
  longestRow: number;
  options: LoopOptions;
  state: S;
  /** Fills the state of a new run. */
  initialize(state: S): void;
  createRunner(shape: PassShape): Promise<StepRunner>;
  evaluator: Evaluator | null;
  /** Writes what is trained, such as an adapter, in a form that is useful without the run. */
  save(folder: string): Promise<void>;
  /** Reads what `save` wrote; the function it returns puts it into the state. */
  load(folder: string): Promise<() => void>;
  /** Whether pruned checkpoints keep what was trained and lose only what a resumed run needs. */
  keepsTrained: boolean;
  /** Tokens to learn in one epoch; null until all rows have been read. */
  trainTokens: number | null;
  /** Set while some rows have not been read yet. */
  reader: BackgroundReader | null;
  tooLong: LongRows | null;
  /** Whether the run reads all rows before it ends, even if its steps do not need them. */
  readsAllRows: boolean;
  /** Identifies everything that determines the results. Checkpoints with another fingerprint are an error. */
  fingerprint: string;
  folder: string;
  control: RunControl;
}

/** Controls a run from outside. */
export interface RunControl {
  /** Stops between two passes with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Stops after the current step, with a checkpoint to resume from. */
  pause?: AbortSignal | undefined;
  /** The number of this attempt at the run. If the folder's `attempt` file names another, saving fails. */
  attempt?: number | undefined;
  /** Called with the fault's code while a save waits for the disk, and with null once it is done. */
  onHeldUp?: ((code: string | null) => void) | undefined;
}

interface SavedCheckpoint {
  type: 'checkpoint';
  step: number;
  folder: string;
}

export type TrainEvent =
  | Preparing
  | {
      type: 'started';
      totalSteps: number;
      trainableParameters: number;
      /** Tokens to learn in one epoch; null until all rows have been read. */
      trainTokens: number | null;
      tooLong?: LongRows;
      resumedFromStep: number | null;
      /** Steps of later checkpoints that the run could not resume from because they are damaged. */
      damagedCheckpoints: number[];
    }
  | {
      type: 'log';
      step: number;
      loss?: number;
      evalLoss?: number;
      learningRate?: number;
      epoch: number;
      /** Since the last log. */
      tokens: number;
      /** Since the last log. */
      tokensPerSecond?: number;
    }
  | SavedCheckpoint
  | { type: 'paused'; step: number }
  | {
      type: 'completed';
      step: number;
      folder: string;
      /** All kept checkpoints, including those of earlier attempts. */
      checkpoints: { step: number; folder: string }[];
      metrics: { trainLoss: number | null; evalLoss: number | null };
    };

/** Time for reading rows ahead, as a share of the time that steps take. */
const READING_SHARE = 0.25;

/** Aborting stops it between two passes with the signal's reason; what was saved stays. */
export async function* runTrainingLoop<S extends ParameterState>(
  loop: TrainingLoop<S>,
): AsyncGenerator<TrainEvent> {
  const run = await prepareRun(loop);
  try {
    yield* runSteps(run);
  } finally {
    await run.passes.close();
    await run.evaluator?.close();
  }
}

interface Run extends TrainingLoop {
  gradient: ParameterState;
  optimizer: AdamWState;
  progress: Progress;
  resumedFromStep: number | null;
  damagedCheckpoints: number[];
  passes: GrowingRunner<StepRunner>;
  assertOwner: () => Promise<void>;
}

async function prepareRun<S extends ParameterState>(loop: TrainingLoop<S>): Promise<Run> {
  const { folder, state, control } = loop;
  const optimizer = createAdamWState(state.values.length);
  const assertOwner = createOwnerCheck(folder, control.attempt);
  await assertOwner();
  await clearPartials(folder);
  const { saved, damaged } = await resume(loop, optimizer);
  if (!saved) loop.initialize(state);
  const progress: Progress = saved ?? { step: 0, losses: [], best: null, fingerprint: loop.fingerprint };
  const passes = openPasses(loop, progress);
  await passes.fit([]);
  return {
    ...(loop as unknown as TrainingLoop),
    gradient: createState(state.parameters),
    optimizer,
    progress,
    resumedFromStep: saved?.step ?? null,
    damagedCheckpoints: damaged,
    passes,
    assertOwner,
  };
}

/** A resumed run starts with the shape that its passes had grown to. */
function openPasses<S extends ParameterState>(loop: TrainingLoop<S>, progress: Progress) {
  const passes = createGrowingRunner(progress.shape ?? loop.shape, loop.longestRow, loop.createRunner);
  return {
    ...passes,
    async fit(examples: readonly Example[]) {
      const fitting = await passes.fit(examples);
      if (fitting.shape !== loop.shape) progress.shape = fitting.shape;
      return fitting;
    },
  };
}

interface Resumption {
  saved: Progress | null;
  damaged: number[];
}

/** The run's last intact checkpoint, if any. Another run's checkpoint is an error, so that runs never mix. */
async function resume(
  { folder, fingerprint, load }: Pick<TrainingLoop, 'folder' | 'fingerprint' | 'load'>,
  optimizer: AdamWState,
): Promise<Resumption> {
  const damaged: number[] = [];
  for (const step of (await listCheckpoints(folder)).toReversed()) {
    const saved = await readProgress(folder, step);
    if (saved === 'pruned') continue;
    if (saved !== 'damaged' && saved.fingerprint !== fingerprint) {
      throw new Error(`${folder} holds the checkpoints of another run; choose another folder.`);
    }
    if (saved !== 'damaged' && (await loadCheckpoint(folder, step, optimizer, load)))
      return { saved, damaged };
    damaged.push(step);
  }
  return { saved: null, damaged };
}

async function* runSteps(run: Run): AsyncGenerator<TrainEvent> {
  const { plan, options, progress, evaluator, state, control } = run;
  yield started(run);
  const window = createLossWindow(progress);
  let evalLoss: number | null = null;
  let unsaved: number | null = null;
  while (progress.step < plan.totalSteps) {
    const learningRate = options.learningRate * scheduleFactor(progress.step, { ...options, ...plan });
    const startedAt = performance.now();
    const { loss, tokens } = await takeStep(run, learningRate);
    const step = ++progress.step;
    const spent = performance.now() - startedAt;
    window.add(loss, tokens, spent);
    const isLast = step === plan.totalSteps;
    const evaluates = evaluator !== null && (isLast || isDue(step, options.evalSteps));
    if (evaluates)
      evalLoss = roundToFloat32(
        assertFinite(await evaluator.run(state, control.signal), `The evaluation at step ${step}`),
      );
    if (evaluates || isLast || isDue(step, options.loggingSteps)) {
      const measured = evaluates ? { evalLoss: evalLoss! } : {};
      const epoch = roundToFloat32(step / plan.stepsPerEpoch);
      yield {
        type: 'log',
        step,
        ...window.take(),
        ...measured,
        learningRate: roundToFloat32(learningRate),
        epoch,
      };
    }
    yield* readAhead(run, spent * READING_SHARE);
    if (evaluates) unsaved = evalLoss;
    if (isLast) break;
    const pauses = control.pause?.aborted ?? false;
    if (pauses || isDue(step, options.saveSteps)) {
      // A checkpoint's evaluation is the last one before it; only saved checkpoints can be the best.
      if (unsaved !== null && unsaved < (progress.best?.loss ?? Number.POSITIVE_INFINITY))
        progress.best = { step, loss: unsaved };
      unsaved = null;
      yield await checkpoint(run);
    }
    if (pauses) return yield { type: 'paused', step };
  }
  yield* finishReading(run);
  yield await complete(run, window.last, evalLoss);
}

/** Continues reading rows; an invalid one makes the run fail here. */
async function* readAhead({ reader, control }: Run, ms: number): AsyncGenerator<TrainEvent> {
  await reader?.advance(ms, control.signal);
  const progress = reader?.takeProgress();
  if (progress) yield progress;
}

async function* finishReading(run: Run): AsyncGenerator<TrainEvent> {
  while (run.readsAllRows && run.reader?.isComplete === false) yield* readAhead(run, 1000);
  const progress = run.reader?.takeProgress(true);
  if (progress) yield progress;
}

function started({
  state,
  trainTokens,
  plan,
  resumedFromStep,
  damagedCheckpoints,
  tooLong,
}: Run): TrainEvent {
  return {
    type: 'started',
    totalSteps: plan.totalSteps,
    trainableParameters: state.values.length,
    trainTokens,
    ...(tooLong && { tooLong }),
    resumedFromStep,
    damagedCheckpoints,
  };
}

async function checkpoint(run: Run): Promise<TrainEvent> {
  const { folder, optimizer, progress, options, keepsTrained, save, assertOwner, control } = run;
  const path = await saveWhenPossible(
    () => saveCheckpoint(folder, progress, optimizer, save, assertOwner),
    () => clearPartials(folder),
    control,
  );
  const best = progress.best?.step ?? null;
  await pruneCheckpoints(folder, { keep: options.keepCheckpoints, best, keepsTrained });
  return { type: 'checkpoint', step: progress.step, folder: path };
}

async function complete(run: Run, trainLoss: number | null, evalLoss: number | null): Promise<TrainEvent> {
  const { folder, progress, save, assertOwner, control } = run;
  const final = join(folder, 'final');
  await assertOwner();
  const clear = () => rm(final, { recursive: true, force: true });
  await saveWhenPossible(() => save(final), clear, control);
  return {
    type: 'completed',
    step: progress.step,
    folder: final,
    checkpoints: (await listCheckpoints(folder)).map(step => ({
      step,
      folder: join(folder, `checkpoint-${step}`),
    })),
    metrics: { trainLoss, evalLoss },
  };
}

function isDue(step: number, every: number | null): boolean {
  return every !== null && step % every === 0;
}
