// The training loop: optimizer steps, logs, evaluations and checkpoints, as an iterable of events. A run that finds its
// own checkpoints resumes from the last one with exactly the same results.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointName, FINAL_FOLDER } from '../run-layout.js';
import { clearPartials, listCheckpoints, pruneCheckpoints, saveCheckpoint } from './checkpoint.js';
import { createLossWindow, roundToFloat32 } from './loss-window.js';
import { assertFinite, takeStep } from './optimizer-step.js';
import { saveWhenPossible } from './save-when-possible.js';
import { scheduleFactor } from './schedule.js';
import { type Run, startRun } from './start-run.js';
import type { ParameterState } from './state.js';
import type { TrainEvent } from './train-event.js';
import type { TrainingLoop } from './training-loop.js';

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
    await run.runner.close();
    await run.evaluator?.close();
  }
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
    const { loss, tokens, rowLosses } = await takeStep(run, learningRate);
    const step = ++progress.step;
    const spent = performance.now() - startedAt;
    window.add(loss, tokens, spent);
    await run.rowLosses?.add(step, rowLosses);
    const isLast = step === plan.totalSteps;
    const evaluates = evaluator !== null && (isLast || isDue(step, options.evalSteps));
    if (evaluates)
      evalLoss = roundToFloat32(
        assertFinite(await evaluator.run(state, control.signal), `The evaluation at step ${step}`),
      );
    if (evaluates || isLast || isDue(step, options.loggingSteps)) {
      const evaluation = evaluates ? { evalLoss: evalLoss! } : {};
      const epoch = roundToFloat32(step / plan.stepsPerEpoch);
      yield {
        type: 'log',
        step,
        ...window.summarize(),
        ...evaluation,
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

async function checkpoint(run: Run): Promise<TrainEvent> {
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

async function complete(run: Run, trainLoss: number | null, evalLoss: number | null): Promise<TrainEvent> {
  const { folder, progress, save, assertOwner, control } = run;
  const final = join(folder, FINAL_FOLDER);
  await assertOwner();
  const clear = () => rm(final, { recursive: true, force: true });
  const saveAll = async () => {
    await run.rowLosses?.save();
    await save(final);
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
    metrics: { trainLoss, evalLoss },
  };
}

function isDue(step: number, every: number | null): boolean {
  return every !== null && step % every === 0;
}
