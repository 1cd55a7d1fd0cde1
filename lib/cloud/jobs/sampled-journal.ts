// A journal that also answers the job's samples: with the base model when training starts, with each checkpoint once it is
// recorded, and with the final adapter before completion is recorded, because nothing may follow that.
import type { Clock } from '../../clock/index.js';
import {
  type Artifact,
  type JobEvent,
  type SampleInput,
  samplePlace,
  type TemplateVariables,
} from '../../contract/index.js';
import { listArtifacts, publishAdapter } from '../artifacts/adapter-store.js';
import type { AnswerSample, SampleAnswer, StoredAdapter } from '../seams/backend.js';
import type { JobContext } from './job-context.js';
import { retryMs } from './job-waits.js';
import type { Journal } from './journal.js';
import type { Progress } from './progress.js';

interface SampledJournalOptions {
  jobId: string;
  samples: readonly SampleInput[];
  /** Of the chat template. */
  variables?: TemplateVariables | undefined;
  progress: Progress;
  /** Stops answering. */
  signal: AbortSignal;
}

export function createSampledJournal(
  { answerSample, db, folders, clock, deps }: JobContext,
  journal: Journal,
  { jobId, samples, variables, progress, signal }: SampledJournalOptions,
): Journal {
  if (samples.length === 0 || !answerSample) return journal;
  const sampler = createSampler({
    jobId,
    samples,
    known: progress.samples,
    answer: (input, ...asked) => answerSample({ ...input, variables }, ...asked),
    record: event => journal.record(event),
    clock,
    signal,
  });
  let begun: Promise<void> | undefined;
  let completing: Promise<void> | undefined;
  /** Lets the runner report its next event without waiting for this one. */
  let earlier: Promise<unknown> = Promise.resolve();

  function add(artifact: Artifact): void {
    const { step, sha256 } = artifact;
    sampler.add({ step, adapter: { sha256, folder: folders.adapter(jobId, artifact) } });
  }

  /** Queues the base model, and checkpoints that an earlier attempt left unanswered. */
  async function begin(): Promise<void> {
    sampler.add({ step: 0, adapter: null });
    for (const artifact of await listArtifacts(db, jobId)) if (artifact.kind === 'checkpoint') add(artifact);
  }

  async function answerFinal({
    artifacts,
  }: Extract<JobEvent, { type: 'training.completed' }>): Promise<void> {
    await Promise.all([begun, earlier]);
    const final = artifacts.find(({ kind }) => kind === 'final');
    if (final && (await publishAdapter(folders, jobId, final))) add(final);
    await sampler.settled();
  }

  function follow(event: JobEvent): void {
    if (event.type === 'training.started') begun ??= quietly(begin());
    if (event.type === 'checkpoint.saved') for (const artifact of event.artifacts) add(artifact);
  }

  const quietly = (work: Promise<void>) =>
    work.catch(error => deps.log({ message: `Samples of job ${jobId} could not be answered.`, error }));

  if (progress.isStarted) begun = quietly(begin());
  return {
    get isOver() {
      return journal.isOver;
    },
    record(event, next) {
      if (event.type === 'training.completed') {
        completing = quietly(answerFinal(event)).then(() => journal.record(event, next));
        return completing;
      }
      const recorded = journal.record(event, next).then(() => follow(event));
      earlier = Promise.all([earlier, recorded]).then(() => {});
      return recorded;
    },
    async settled() {
      await completing;
      await journal.settled();
    },
  };
}

/** The adapter to answer with, or null for the base model. */
interface SampleModel {
  step: number;
  adapter: StoredAdapter | null;
}

/** @internal */
export interface Sampler {
  /** Answers the missing samples, after everything added earlier. */
  add(model: SampleModel): void;
  /** Resolves when everything added is answered, or after a stop. */
  settled(): Promise<void>;
}

interface SamplerOptions {
  jobId: string;
  samples: readonly SampleInput[];
  /** Positions of the answers in the log. */
  known: ReadonlySet<string>;
  answer: AnswerSample;
  record(event: JobEvent): Promise<void>;
  clock: Clock;
  signal: AbortSignal;
}

/** How often to retry while the engine is busy or restarting. */
const MOST_TRIES = 8;

/**
 * Answers a job's samples with each of its adapters in turn, in parallel with its training, and reports each answer as an
 * event. It never fails an attempt: errors are reported as answers, and the next attempt answers the rest. @internal
 */
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
