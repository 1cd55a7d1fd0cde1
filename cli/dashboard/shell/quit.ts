// Quitting: asks first while a run started here is in progress, and says what happens to it.
import { within } from '../../../lib/clock/index.js';
import { isFinalStatus } from '../../../lib/contract/index.js';
import type { Context, Question } from '../core/context.js';
import type { JobFate } from '../core/exit-line.js';
import type { Overview } from '../views/overview/overview.js';

interface QuitParts {
  readonly context: Context;
  readonly overview: Overview;
  leave(fate?: JobFate): void;
}

const PATIENCE_MS = 1000;

const NO_JOB = 'A run is in progress but has no job yet. Quitting stops it. Quit?';
const QUESTIONS: Readonly<Record<JobFate, string>> = {
  goes_on: 'A run is in progress. Its job continues, but its callbacks stop. Quit?',
  over: 'A run is in progress. Its job has ended; quitting stops its callbacks. Quit?',
  unknown:
    'A run is in progress. Its job continues once the cloud responds again, but its callbacks stop. Quit?',
};

/** Quitting a second time leaves immediately. */
export function createQuit({ context, overview, leave }: QuitParts): () => void {
  let isAsking = false;

  async function ask(): Promise<void> {
    const status = await within(overview.askStatus(), PATIENCE_MS, () => null, context.clock);
    const question = status?.running ? await questionOf(status.jobId) : null;
    isAsking = false;
    if (context.signal.aborted) return;
    if (question) context.ask(question);
    else leave();
  }

  async function questionOf(jobId: string | null): Promise<Question> {
    if (jobId === null) return { text: NO_JOB, yes: leave };
    const fate = await within(askFate(context, jobId), PATIENCE_MS, () => 'unknown' as const, context.clock);
    return { text: QUESTIONS[fate], yes: () => leave(fate) };
  }

  return () => {
    if (isAsking) return leave();
    isAsking = true;
    void ask();
  };
}

async function askFate({ client, reach, signal }: Context, jobId: string): Promise<JobFate> {
  try {
    const { job } = await reach(client.getJob(jobId, { signal }), true);
    return isFinalStatus(job.status) ? 'over' : 'goes_on';
  } catch {
    return 'unknown';
  }
}
