// Runs the project's code on the adapters that a run saves: measures them with evals, and chats with them.
import { inspect } from 'node:util';
import { createBackoff } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { type AdapterRef, ApiError, type JobEvent, type ScoreRecorded } from '../../contract/index.js';
import type { Session } from '../session/session.js';
import type { Eval, EvalContext, Infer, TrainerOptions } from './options.js';

export interface EvalHooks {
  /** An eval starts on the adapter of a step. */
  onEval(eval_: { name: string; step: number }): void;
  /** An eval failed, so there is no score. */
  onEvalFailed(failure: { name: string; step: number; error: unknown }): void;
}

export interface Evaluator {
  /** Handles an event of the run. */
  take(event: JobEvent): void;
  /** Resolves when everything is evaluated, or after `stop`. */
  settled(): Promise<void>;
  /** Skips the remaining evals, without waiting for one in progress. */
  stop(): void;
}

interface Hooks extends Partial<EvalHooks> {
  /** A score was recorded. */
  onScored(event: ScoreRecorded): void;
}

/** How long to retry while the cloud is away. */
const AWAY_MS = 60_000;
/** How often to retry an engine that does not respond: it may be restarting, or unable to start at all. */
const MOST_REPEATS = 6;

const AWAY_CODES: ReadonlySet<string> = new Set(['cloud_unreachable', 'storage_unavailable']);

/**
 * Runs a trainer's evals on each adapter that its run saves, one after another, and reports the scores to the
 * cloud. The run and its callbacks do not wait for them; only the end of the program does. Each eval runs
 * once per adapter, and again only if the cloud was away; a failure is reported, and its score is missing.
 */
export function createEvaluator(
  { evals = {} }: Pick<TrainerOptions, 'evals'>,
  jobId: string,
  session: Session,
  { onEval, onEvalFailed = warn, onScored }: Hooks,
): Evaluator {
  const stopped = new AbortController();
  const { signal } = stopped;
  const whenStopped = new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  let working: Promise<void> = Promise.resolve();

  async function evaluate(name: string, measure: Eval, adapter: AdapterRef, step: number): Promise<void> {
    try {
      onEval?.({ name, step });
      const context: EvalContext = { step, adapter, infer: inferWith(adapter, session) };
      const value: unknown = await patiently(async () => measure(context), signal, session.clock);
      if (signal.aborted) return;
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw new TypeError(`It returned ${inspect(value)}, which is not a finite number.`);
      const report = { step, scores: { [name]: value } };
      const { scores } = await patiently(
        async () => (await session.projectClient()).recordScores(jobId, report, { signal }),
        signal,
        session.clock,
      );
      for (const score of scores) onScored(score);
    } catch (error) {
      if (!signal.aborted) onEvalFailed({ name, step, error });
    }
  }

  function add(adapter: AdapterRef, step: number): void {
    for (const [name, measure] of Object.entries(evals))
      working = working.then(() => (signal.aborted ? undefined : evaluate(name, measure, adapter, step)));
  }

  return {
    take(event) {
      if (event.type === 'checkpoint.saved') add({ kind: 'checkpoint', jobId, step: event.step }, event.step);
      if (event.type === 'end' && event.status === 'cancelled') stopped.abort();
      if (event.type !== 'training.completed') return;
      const final = event.artifacts.find(({ kind }) => kind === 'final');
      if (final) add({ kind: 'final', jobId }, final.step);
    },
    settled: () => Promise.race([working, whenStopped]),
    stop: () => stopped.abort(),
  };
}

/** Retries for a while if the cloud or its engine is away. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal, clock: Clock): Promise<T> {
  const backoff = createBackoff({ firstMs: 500, longestMs: 4000 });
  let until: number | undefined;
  let repeats = 0;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      until ??= clock.elapsed() + AWAY_MS;
      const code = error instanceof ApiError ? error.code : '';
      const mayPass = code === 'engine_unavailable' ? repeats++ < MOST_REPEATS : AWAY_CODES.has(code);
      if (!mayPass || clock.elapsed() > until) throw error;
    }
    await clock.sleep(backoff.next(), signal);
  }
}

function warn({ name, step, error }: Parameters<EvalHooks['onEvalFailed']>[0]): void {
  process.emitWarning(evalFailure({ name, step, error }), 'EvalWarning');
}

/** Describes the failure in one line. */
export function evalFailure({ name, step, error }: Parameters<EvalHooks['onEvalFailed']>[0]): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `No score for "${name}" at step ${step}: ${reason}`;
}

/** Chats with an adapter of the run through the cloud, like any other caller. */
export function inferWith(adapter: AdapterRef, session: Session): Infer {
  const request = (input: object) => ({ ...(input as { messages: [] }), adapter });
  async function* stream(input: object) {
    const project = await session.projectClient();
    const { chunks, first } = await onceFree(async () => {
      const opened = project.chat({ ...request(input), stream: true });
      return { chunks: opened, first: await opened.next() };
    }, session.clock);
    if (first.done) return;
    yield first.value;
    yield* chunks;
  }
  const once = async (input: object) => {
    const project = await session.projectClient();
    return onceFree(() => project.chat({ ...request(input), stream: false }), session.clock);
  };
  return ((input: { stream?: boolean }) => (input.stream ? stream(input) : once(input))) as Infer;
}

/** Retries while the engine is busy: a callback may send more requests than the engine queues. */
async function onceFree<T>(ask: () => Promise<T>, clock: Clock): Promise<T> {
  const backoff = createBackoff({ firstMs: 250, longestMs: 4000 });
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'engine_busy') throw error;
      await clock.sleep(backoff.next());
    }
  }
}
