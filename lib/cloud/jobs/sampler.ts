// Answers a job's samples with each of its adapters in turn, next to its training, and reports each answer as an event.
// It never fails an attempt: what cannot be answered is reported as such, and what is left when it stops is answered by
// the next attempt.
import type { Clock } from '../../clock/index.js';
import { type JobEvent, type SampleInput, samplePlace } from '../../contract/index.js';
import type { AnswerSample, SampleAnswer } from '../seams/answer-sample.js';
import type { StoredAdapter } from '../seams/backend.js';
import { retryMs } from './persist.js';

/** Whose answer is wanted: an adapter's, or the base model's (null). */
interface SampleModel {
  step: number;
  adapter: StoredAdapter | null;
}

export interface Sampler {
  /** Answers what is not answered yet, after what was added before. */
  add(model: SampleModel): void;
  /** Resolves when everything that was added is answered, or it was stopped. */
  settled(): Promise<void>;
}

interface SamplerOptions {
  jobId: string;
  samples: readonly SampleInput[];
  /** The places of the answers in the log. */
  known: ReadonlySet<string>;
  answer: AnswerSample;
  record(event: JobEvent): Promise<void>;
  clock: Clock;
  signal: AbortSignal;
}

/** How often it asks again while the engine is busy or restarts. */
const MOST_TRIES = 8;

export function createSampler(options: SamplerOptions): Sampler {
  let working: Promise<void> = Promise.resolve();
  return {
    add(model) {
      working = working.then(() => answerAll(options, model));
    },
    settled: () => working,
  };
}

async function answerAll(options: SamplerOptions, model: SampleModel): Promise<void> {
  const { samples, known, signal, record, jobId, clock } = options;
  for (const [sample, input] of samples.entries()) {
    if (known.has(samplePlace({ step: model.step, sample }))) continue;
    const answer = await answerPatiently(options, input, model);
    if (signal.aborted) return;
    const timestamp = new Date(clock.now()).toISOString();
    await record({ type: 'sample.generated', jobId, timestamp, step: model.step, sample, ...answer });
  }
}

async function answerPatiently(
  { answer, clock, signal }: SamplerOptions,
  input: SampleInput,
  { adapter }: SampleModel,
): Promise<SampleAnswer> {
  for (let tries = 0; ; tries++) {
    const given = await answer(input, adapter, signal);
    if (given !== 'later' || signal.aborted) return given === 'later' ? GIVEN_UP : given;
    if (tries === MOST_TRIES) return GIVEN_UP;
    await clock.sleep(retryMs(tries), signal).catch(() => {});
  }
}

const GIVEN_UP: SampleAnswer = { answer: null, error: 'The engine that answers was busy or not available.' };
