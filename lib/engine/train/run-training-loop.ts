// The training loop: optimizer steps, logs, evaluations and checkpoints, as an iterable of events. A run that finds its
// own checkpoints resumes from the last one with exactly the same results.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointName, FINAL_FOLDER } from '../run-layout.js';
import {
  clearPartials,
  type Progress,
  saveCheckpoint,
  saveResumable,
  saveWhenPossible,
} from './checkpoint.js';
import type { Evaluation } from './evaluate.js';
import { listCheckpoints, pruneCheckpoints } from './kept-checkpoints.js';
import type { Metrics } from './objective.js';
import { type Run, startRun } from './start-run.js';
import type { ParameterState } from './state.js';
import { assertFinite, type StepResult, scheduleFactor, takeStep } from './take-step.js';
import type { TrainEvent, TrainingLoop } from './training-loop.js';

/** Time for reading rows ahead, as a share of the time that steps take. */
const READING_SHARE = 0.25;

/** Aborting stops it between two passes with the signal's reason; what was saved stays. */
export async function* runTrainingLoop<S extends ParameterState>(
  loop: TrainingLoop<S>,
): AsyncGenerator<TrainEvent> {
  const run = await startRun(loop);
  try {
    yield* runSteps(run);
  } finally {
    await run.rowLosses?.save().catch(() => {}); // Past the last checkpoint, so a resumed run writes them again.
    // What fails here comes too late to matter, and must not hide what went before.
    for (const opened of [run.runner, run.evaluator, run.objective]) await opened?.close().catch(() => {});
  }
}

async function* runSteps(run: Run): AsyncGenerator<TrainEvent> {
  const { plan, options, progress, evaluator, state, control } = run;
  yield started(run);
  const window = new LossWindow(progress);
  let evaluated: Evaluation | null = null;
  let unsaved: number | null = null;
  // A run that was paused while an evaluation waited for rewards has saved the step before it, and has yet to report it.
  let isSaved = progress.losses.length > 0 && reports(progress.step);
  for (; isSaved || progress.step < plan.totalSteps; isSaved = false) {
    const startedAt = performance.now();
    if (!isSaved) {
      const result = await unlessPaused(takeStep(run, rateOf(progress.step + 1)), control);
      if (!result) return yield* pauseAndSave(run, unsaved);
      progress.step++;
      window.add(result, performance.now() - startedAt);
      await run.rowLosses?.add(progress.step, result.rowLosses);
    }
    const spent = performance.now() - startedAt;
    const { step } = progress;
    if (evaluates(step)) {
      await run.runner.pull();
      const found = await unlessPaused(evaluator!.run(state, control.signal, step), control);
      if (!found) return yield* pauseAndSave(run, unsaved);
      evaluated = checkEvaluation(found, step);
      unsaved = evaluated.rank ?? evaluated.loss;
    }
    if (reports(step)) {
      yield {
        type: 'log',
        step,
        ...toMeasured(window.summarize(), evaluates(step) ? evaluated : null),
        learningRate: roundToFloat32(rateOf(step)),
        epoch: roundToFloat32(step / plan.stepsPerEpoch),
      };
    }
    yield* readAhead(run, spent * READING_SHARE);
    if (isLast(step)) break;
    const pauses = control.pause?.aborted ?? false;
    if (!isSaved && (pauses || isDue(step, options.saveSteps))) {
      yield await checkpoint(run, unsaved);
      unsaved = null;
    }
    if (pauses) return yield { type: 'paused', step };
  }
  yield* finishReading(run);
  await run.runner.pull();
  yield await complete(run, window.last, evaluated);

  function isLast(step: number): boolean {
    return step === plan.totalSteps;
  }

  function evaluates(step: number): boolean {
    return evaluator !== null && (isLast(step) || isDue(step, options.evalSteps));
  }

  function reports(step: number): boolean {
    return evaluates(step) || isLast(step) || isDue(step, options.loggingSteps);
  }

  /** The learning rate. Steps count from 1. */
  function rateOf(step: number): number {
    return options.learningRate * scheduleFactor(step - 1, { ...options, ...plan });
  }
}

function checkEvaluation({ loss, metrics, ...rest }: Evaluation, step: number): Evaluation {
  return {
    ...rest,
    loss: loss === null ? null : roundToFloat32(assertFinite(loss, `The evaluation at step ${step}`)),
    ...(metrics && { metrics: mapValues(metrics, roundToFloat32) }),
  };
}

/** The fields of a log about what was measured. */
function toMeasured({ seconds, ...trained }: Summary, evaluated: Evaluation | null) {
  const metrics = { ...joinMetrics(trained, evaluated), ...seconds };
  return {
    ...trained,
    ...(evaluated && evaluated.loss !== null && { evalLoss: evaluated.loss }),
    ...(Object.keys(metrics).length > 0 && { metrics }),
  };
}

type WithMetrics = { metrics?: Metrics } | null;

function joinMetrics(trained: WithMetrics, evaluated: WithMetrics): Metrics {
  const toEvalName = (name: string) => `eval${name[0]!.toUpperCase()}${name.slice(1)}`;
  const ofEvaluation = Object.entries(evaluated?.metrics ?? {});
  return {
    ...trained?.metrics,
    ...Object.fromEntries(ofEvaluation.map(([name, value]) => [toEvalName(name), value])),
  };
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
  weights,
}: Run): TrainEvent {
  return {
    type: 'started',
    totalSteps: plan.totalSteps,
    trainableParameters: state.values.length,
    trainTokens,
    ...(weights && { weights }),
    ...(tooLong && { tooLong }),
    resumedFromStep,
    damagedCheckpoints,
  };
}

/** Null if it was paused while it waited for rewards. */
async function unlessPaused<T>(work: Promise<T>, { pause }: Run['control']): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (pause?.aborted && error === pause.reason) return null;
    throw error;
  }
}

/** In the middle of a step, which is taken again, or of the evaluation after one. */
async function* pauseAndSave(run: Run, unsaved: number | null): AsyncGenerator<TrainEvent> {
  const { folder, progress } = run;
  const isSaved = progress.step === 0 || (await listCheckpoints(folder)).includes(progress.step);
  if (!isSaved) yield await checkpoint(run, unsaved);
  yield { type: 'paused', step: progress.step };
}

/** `unsaved`: the rank of an evaluation since the last checkpoint. Only saved checkpoints can be the best. */
async function checkpoint(run: Run, unsaved: number | null): Promise<TrainEvent> {
  if (unsaved !== null && unsaved < (run.progress.best?.loss ?? Number.POSITIVE_INFINITY))
    run.progress.best = { step: run.progress.step, loss: unsaved };
  await run.runner.pull();
  const { folder, optimizer, progress, options, keepsTrained, save, assertOwner, control } = run;
  const path = await saveWhenPossible(
    async () => {
      await run.rowLosses?.save();
      return saveCheckpoint(folder, progress, optimizer, save, assertOwner);
    },
    () => clearPartials(folder),
    control,
  );
  const best = progress.best?.step ?? null;
  await pruneCheckpoints(folder, { keep: options.keepCheckpoints, best, keepsTrained });
  return { type: 'checkpoint', step: progress.step, folder: path };
}

type Measured = { loss: number | null; metrics?: Metrics } | null;

async function complete(run: Run, trained: Measured, evaluated: Measured): Promise<TrainEvent> {
  const { folder, progress, optimizer, keepsFinalState, save, assertOwner, control } = run;
  const final = join(folder, FINAL_FOLDER);
  await assertOwner();
  const clear = async () => {
    await clearPartials(folder);
    await rm(final, { recursive: true, force: true });
  };
  const saveAll = async () => {
    await run.rowLosses?.save();
    if (keepsFinalState) await saveResumable(final, progress, optimizer, save, assertOwner);
    else await save(final);
  };
  await saveWhenPossible(saveAll, clear, control);
  return {
    type: 'completed',
    step: progress.step,
    folder: final,
    checkpoints: (await listCheckpoints(folder)).map(step => ({
      step,
      folder: join(folder, checkpointName(step)),
    })),
    metrics: {
      ...joinMetrics(trained, evaluated),
      trainLoss: trained?.loss ?? null,
      evalLoss: evaluated?.loss ?? null,
    },
  };
}

function isDue(step: number, every: number | null): boolean {
  return every !== null && step % every === 0;
}

/** As many digits as single precision has; the rest is noise that would fill every log. */
const DIGITS = 7;

interface Summary {
  loss: number;
  tokens: number;
  /** Of this process, if it took a step. */
  tokensPerSecond?: number;
  metrics?: Metrics;
  /** Of a step, on average. */
  seconds?: Metrics;
}

/**
 * The mean loss, the tokens and the speed since the last log. All but the speed and the seconds, which are those of this process,
 * is part of the progress, so it survives a stop.
 */
class LossWindow {
  readonly #progress: Progress;
  /** Of this process, in `#ms`. */
  #tokens = 0;
  #ms = 0;
  #seconds: Record<string, number[]> | undefined;
  last: Summary | null = null;

  constructor(progress: Progress) {
    this.#progress = progress;
  }

  add({ loss, tokens, metrics, seconds }: StepResult, ms: number): void {
    this.#progress.losses.push(loss);
    if (metrics) this.#progress.metrics = append(this.#progress.metrics, metrics);
    this.#progress.tokens = (this.#progress.tokens ?? 0) + tokens;
    this.#tokens += tokens;
    this.#ms += ms;
    if (seconds) this.#seconds = append(this.#seconds, withTraining(seconds, ms));
  }

  summarize(): Summary {
    const { losses, tokens = 0, metrics } = this.#progress;
    this.last = {
      loss: meanOf(losses),
      tokens,
      ...(this.#ms > 0 && { tokensPerSecond: Math.round((this.#tokens / this.#ms) * 1000) }),
      ...(metrics && { metrics: mapValues(metrics, meanOf) }),
      ...(this.#seconds && { seconds: mapValues(this.#seconds, toMilliseconds) }),
    };
    this.#progress.losses = [];
    this.#progress.tokens = 0;
    delete this.#progress.metrics;
    [this.#tokens, this.#ms] = [0, 0];
    this.#seconds = undefined;
    return this.last;
  }
}

function append(lists: Record<string, number[]> = {}, metrics: Metrics): Record<string, number[]> {
  return mapValues(metrics, (value, name) => [...(lists[name] ?? []), value]);
}

/** Training gets the rest of the step's time. */
function withTraining(seconds: Metrics, ms: number): Metrics {
  const others = Object.values(seconds).reduce((sum, part) => sum + part, 0);
  return { ...seconds, trainingSeconds: Math.max(0, ms / 1000 - others) };
}

const toMilliseconds = (seconds: readonly number[]) => Number(meanOf(seconds).toFixed(3));

function meanOf(values: readonly number[]): number {
  return roundToFloat32(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function mapValues<V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V, name: string) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function roundToFloat32(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
