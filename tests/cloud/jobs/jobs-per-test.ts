// A cloud for each test of a file, whose trainers follow the test's script.
import { afterEach, beforeEach } from 'vitest';
import type { Job, JobConfigInput, JobEvent, JobSummary } from '../../../lib/contract/index.js';
import { createScriptedRunner, type ScriptedRun, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs, type TestOptions } from './test-jobs.js';

/** What tests ask of the cloud that is open now, beside what it can do itself. */
function askOpen(open: { cloud?: TestJobs; runner: ScriptedRunner }) {
  const answer = async <Body>(method: string, path: string) =>
    open.cloud!.json<Body>(method, `/v1/jobs${path}`);
  return {
    /** Of the cloud as it was started last. */
    get runner() {
      return open.runner;
    },
    async open(options?: TestOptions) {
      open.cloud = await openTestJobs(open.runner, options);
    },
    async openStarted(options?: TestOptions) {
      await this.open(options);
      await open.cloud!.jobs.start();
    },
    /** A new job whose trainer has started. */
    async begin(config?: Partial<JobConfigInput>, name?: string) {
      const { id } = await open.cloud!.create(config, name);
      return { id, run: await open.runner.next() };
    },
    /** Resolves when its job has completed, too. */
    async finish(run: ScriptedRun, step?: number): Promise<Job> {
      await run.complete(step);
      return open.cloud!.until(run.task.jobId, 'completed');
    },
    ask: async (id: string) => (await answer<{ job: Job }>('GET', `/${id}`)).job,
    list: async () => (await answer<{ jobs: JobSummary[] }>('GET', '')).jobs,
    cancel: async (id: string) => (await answer<{ job: Job }>('POST', `/${id}/cancel`)).job,
    /** Its status, whether clients should try again, and what the body says of the error. */
    async refusal(...asked: Parameters<TestJobs['call']>) {
      const response = await open.cloud!.call(...asked);
      const { error } = (await response.json()) as { error: Record<'code' | 'param' | 'message', string> };
      return { status: response.status, retry: response.headers.get('x-should-retry'), ...error };
    },
    /** What the job's log says, in short. */
    story: async (id: string) => outline(await open.cloud!.events(id)),
    /** Another cloud on the same folder, with a new runner, which is not started yet. */
    async restart(how?: Parameters<TestJobs['reopen']>[1]) {
      open.runner = createScriptedRunner();
      open.cloud = await open.cloud!.reopen(open.runner, how);
    },
  };
}

type JobsToOpen = TestJobs & ReturnType<typeof askOpen>;

/** Each test opens it; it is closed after each. */
export function jobsToOpen(): JobsToOpen {
  const open: Parameters<typeof askOpen>[0] = { runner: createScriptedRunner() };
  beforeEach(() => {
    open.runner = createScriptedRunner();
  });
  afterEach(async () => {
    await open.cloud?.close();
    delete open.cloud;
  });
  const own = askOpen(open);
  return new Proxy(own, {
    get: (_, key) => (key in own ? Reflect.get(own, key) : Reflect.get(open.cloud!, key)),
  }) as unknown as JobsToOpen;
}

/** It is open before each test, and started unless they are to start it. */
export function jobsPerTest({
  isStarted = true,
  ...options
}: TestOptions & { isStarted?: boolean } = {}): JobsToOpen {
  const cloud = jobsToOpen();
  beforeEach(() => (isStarted ? cloud.openStarted(options) : cloud.open(options)));
  return cloud;
}

/** As in `started, log 1-3, saved 3, completed, end completed`. */
export function outline(events: readonly JobEvent[]): string {
  const words: string[] = [];
  let [first, last] = [Number.NaN, Number.NaN];
  for (const event of events) {
    const isNext = event.type === 'training.log' && event.step === last + 1;
    if (event.type === 'training.log') [first, last] = [isNext ? first : event.step, event.step];
    else last = Number.NaN;
    if (isNext) words[words.length - 1] = `log ${first}-${last}`;
    else words.push(toWords(event));
  }
  return words.join(', ');
}

function toWords(event: JobEvent): string {
  if (event.type === 'training.started' && event.resumedFromStep !== undefined)
    return `started from ${event.resumedFromStep}`;
  if (event.type === 'checkpoint.saved') return `saved ${event.step}`;
  if (event.type === 'score.recorded') return `${event.name}@${event.step}=${event.value}`;
  if (event.type === 'sample.generated') return `${event.step}/${event.sample} ${event.answer}`;
  if (event.type === 'end') return `end ${event.status}`;
  return `${event.type.replace('training.', '')}${event.type === 'training.log' ? ` ${event.step}` : ''}`;
}
