// svc test: runs the project's tests for weights, of the model that they name or of another one.
import { subjectLabel, targetLabel } from '../../../lib/console/index.js';
import {
  ApiError,
  adapterNotation,
  readAdapterNotation,
  readJobEvent,
  toAdapterRef,
} from '../../../lib/contract/index.js';
import { followJob, resolveTarget, type Session } from '../../../lib/sdk/index.js';
import { CommandError, type ExitCode, exitCode, UsageError } from '../../command.js';
import { findJob } from '../project/find.js';
import { jobWord, textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { interruptible } from '../terminal/interruptible.js';
import {
  findWeightTests,
  openVitest,
  runWeightTests,
  type VitestOptions,
  WEIGHT_TESTS,
} from './project-vitest.js';

export const run = sessionCommand(async context => {
  const { positionals, values, io, json } = context;
  if (json && values.watch === true) throw new UsageError('"--json" cannot be combined with "--watch".');
  const word = readWord(context);
  if (positionals.length === 0 && (await findWeightTests(io.cwd)).length === 0)
    throw new CommandError(
      'This project has no tests for weights. Name their files like triage.weights.test.ts, and describe a model in them with describeModel of svc/vitest.',
    );
  const options: Omit<VitestOptions, 'target'> = {
    folder: io.cwd,
    filters: positionals.length > 0 ? positionals : [WEIGHT_TESTS],
    io,
    reporters: json ? ['json'] : ((values.reporter ?? []) as string[]),
    junit: textOption(context, 'junit'),
    update: values.update === true,
  };
  let outcome: ExitCode = exitCode.failure;
  const code = await interruptible(io, async signal => {
    if (values.watch === true) outcome = await watchTests(context, options, word, signal);
    else if (await runWeightTests({ ...options, target: word && (await pin(context, word)), signal }))
      outcome = exitCode.ok;
  });
  return code === exitCode.ok ? outcome : code;
});

/** The model as one word; null to leave it to the tests. */
function readWord(context: SessionContext): string | null {
  const chosen = [
    jobWord(context),
    textOption(context, 'endpoint'),
    context.values.base ? 'base' : undefined,
  ].filter(word => word !== undefined);
  if (chosen.length > 1) throw new UsageError('only one of "--job", "--endpoint" and "--base" can be used.');
  return chosen[0] ?? null;
}

/** The word for exactly this model, even if a newer job completes meanwhile. Says which it is. */
async function pin({ session, note }: SessionContext, word: string): Promise<string> {
  const { subject } = await resolveTarget(session, word);
  note(`Testing ${subjectLabel(subject)}.`);
  if (subject.endpoint !== null) return subject.endpoint;
  return subject.target.kind === 'base_model' ? 'base' : adapterNotation(subject.target.adapter);
}

/** Until it is closed by a key; without a terminal, until the job that is watched has ended. */
async function watchTests(
  context: SessionContext,
  options: Omit<VitestOptions, 'target'>,
  word: string | null,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { session, io, note } = context;
  const jobId = await watchedJob(context, word);
  const first = word && (jobId === null ? await pin(context, word) : await newestOf(context, jobId));
  const watch = jobId === null ? null : watchAdapters(session, jobId, { after: stepIn(first), signal });
  if (jobId !== null && first === null) note('Waiting for the first checkpoint…');
  const target = first ?? (watch && (await watch.next()));
  if (watch && target === null) throw new CommandError('The job has ended without an adapter.');
  if (first === null && target !== null) noteAdapter(context, target);
  const tests = await openVitest({ ...options, target, watch: true });
  const stop = () => void tests.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await tests.run();
    for (;;) {
      const next = watch && (await Promise.race([watch.next(), tests.closed.then(() => null)]));
      if (!next) break;
      noteAdapter(context, next);
      await tests.run(next);
    }
    if (io.stdin?.isTTY) await tests.closed;
    signal.throwIfAborted();
    return tests.exitCode();
  } finally {
    signal.removeEventListener('abort', stop);
    await tests.close();
  }
}

/** Null unless it is a whole job, whose adapters are still to come. */
async function watchedJob({ session, values }: SessionContext, word: string | null): Promise<string | null> {
  if (word === null || values.job === undefined || word.startsWith('latest') || word.includes(':'))
    return null;
  return (await findJob(session, word)).id;
}

/** Null if the job has saved none yet. */
async function newestOf(context: SessionContext, jobId: string): Promise<string | null> {
  try {
    return await pin(context, jobId);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'target_not_found') return null;
    throw error;
  }
}

/** The step of a checkpoint in its notation: later ones are new. Nothing is later than a final adapter. */
function stepIn(notation: string | null): number {
  if (notation === null) return -1;
  return readAdapterNotation(notation)?.step ?? Number.POSITIVE_INFINITY;
}

function noteAdapter({ note }: SessionContext, notation: string): void {
  const { jobId, step } = readAdapterNotation(notation)!;
  note(`Testing ${targetLabel({ kind: 'adapter', adapter: toAdapterRef(jobId!, step) })}.`);
}

interface AdapterWatch {
  /** The next adapter that no test has asked yet, in its notation; null after the last one. */
  next(): Promise<string | null>;
}

/**
 * Runs the tests again with each adapter that a job saves, newest first: one that is saved while tests run replaces those that wait.
 * `after`: the step of what was tested already.
 */
export function watchAdapters(
  session: Session,
  jobId: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AdapterWatch {
  let newest: string | null = null;
  let hasEnded = false;
  let fault: unknown;
  let wake = () => {};

  async function follow(): Promise<void> {
    for await (const frame of followJob(session, jobId, { signal })) {
      const step = stepOf(readJobEvent(frame));
      // Nothing is later than a final adapter.
      if (step === undefined || (step ?? Number.POSITIVE_INFINITY) <= after) continue;
      newest = adapterNotation(toAdapterRef(jobId, step));
      wake();
    }
  }

  follow()
    .catch(error => {
      fault = error;
    })
    .finally(() => {
      hasEnded = true;
      wake();
    });

  return {
    async next() {
      while (newest === null && !hasEnded)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      const found = newest;
      newest = null;
      if (found === null && fault !== undefined) throw fault;
      return found;
    },
  };
}

/** The step of a checkpoint that was saved, null for the final adapter. */
function stepOf(event: ReturnType<typeof readJobEvent>): number | null | undefined {
  if (event.type === 'checkpoint.saved') return event.step;
  if (event.type !== 'training.completed') return undefined;
  return event.artifacts.some(({ kind }) => kind === 'final') ? null : undefined;
}
