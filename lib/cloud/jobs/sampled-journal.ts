// A journal that also answers the job's samples: with the base model when training starts, with each checkpoint once it
// is recorded, and with the final adapter before the job's completion is recorded, because nothing follows that.
import type { Artifact, JobEvent, SampleInput } from '../../contract/index.js';
import { publishAdapter } from '../artifacts/adapter-store.js';
import { listArtifacts } from '../artifacts/artifact-rows.js';
import type { JobContext } from './job-context.js';
import type { Journal } from './journal.js';
import type { Progress } from './progress.js';
import { createSampler } from './sampler.js';

interface SampledJournalOptions {
  jobId: string;
  samples: readonly SampleInput[];
  progress: Progress;
  /** Stops answering. */
  signal: AbortSignal;
}

export function createSampledJournal(
  { answerSample, db, folders, clock, deps }: JobContext,
  journal: Journal,
  { jobId, samples, progress, signal }: SampledJournalOptions,
): Journal {
  if (samples.length === 0 || !answerSample) return journal;
  const sampler = createSampler({
    jobId,
    samples,
    known: progress.samples,
    answer: answerSample,
    record: event => journal.record(event),
    clock,
    signal,
  });
  let begun: Promise<void> | undefined;
  let completing: Promise<void> | undefined;
  /** The runner need not wait for one event before it reports the next. */
  let earlier: Promise<unknown> = Promise.resolve();

  function add(artifact: Artifact): void {
    const { step, sha256 } = artifact;
    sampler.add({ step, adapter: { sha256, folder: folders.adapter(jobId, artifact) } });
  }

  /** The base model, and the checkpoints that an attempt before this one left unanswered. */
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
