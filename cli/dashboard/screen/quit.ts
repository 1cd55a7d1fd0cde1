// Quitting: asks first while a run started here is in progress, and says what will happen to it.
import { within } from '../../../lib/clock/index.js';
import { type JobFate, QUIT_QUESTIONS, QUIT_WITHOUT_JOB } from '../../../lib/console/index.js';
import { isFinalStatus } from '../../../lib/contract/index.js';
import type { Dashboard } from '../create-dashboard.js';
import type { Question } from '../state/shell-state.js';

const PATIENCE_MS = 1000;

/** Quitting a second time leaves immediately. */
export function createQuit(dashboard: Dashboard): () => void {
  const { clock, signal, training, leave } = dashboard;
  let isAsking = false;

  async function ask(): Promise<void> {
    const status = await within(training.askStatus(), PATIENCE_MS, () => null, clock);
    const question = status?.running ? await questionOf(status.jobId) : null;
    isAsking = false;
    if (signal.aborted) return;
    if (question) dashboard.ask(question);
    else leave();
  }

  async function questionOf(jobId: string | null): Promise<Question> {
    if (jobId === null) return { text: QUIT_WITHOUT_JOB, yes: leave, isQuit: true };
    const fate = await within(askFate(dashboard, jobId), PATIENCE_MS, () => 'unknown' as const, clock);
    return { text: QUIT_QUESTIONS[fate], yes: () => leave(fate), isQuit: true };
  }

  return () => {
    if (isAsking) return leave();
    isAsking = true;
    void ask();
  };
}

async function askFate({ client, reach, signal }: Dashboard, jobId: string): Promise<JobFate> {
  try {
    const { job } = await reach(client.getJob(jobId, { signal }), true);
    return isFinalStatus(job.status) ? 'over' : 'goes_on';
  } catch {
    return 'unknown';
  }
}
