// A real run told again to a dashboard, faster than it was: its own events, as if it had begun now. The clock is put forward
// with them, so that the dashboard computes the times that the run took.
import { eventText } from '../../../cli/commands/start/text-reporter.js';
import { advance, noProgress } from '../../../cli/commands/training/progress.js';
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import type { World } from '../../support/fake-studio/world.js';

const realNow = Date.now;

export function createReplay(world: World, job: Job, events: readonly JobEvent[]) {
  const log = world.eventsOf(job.id);
  const delay = realNow() - Date.parse(job.createdAt);
  const moved = (time: string) => new Date(Date.parse(time) + delay).toISOString();
  const finished: Job = {
    ...job,
    createdAt: moved(job.createdAt),
    startedAt: job.startedAt && moved(job.startedAt),
    completedAt: job.completedAt && moved(job.completedAt),
  };
  let progress = noProgress;
  let told = 0;

  function tellOne(told: JobEvent): void {
    const event = { ...told, timestamp: moved(told.timestamp) };
    const { type, ...payload } = event;
    log.push(type, payload);
    progress = advance(progress, event);
    const isLasting = event.type !== 'training.log' || event.evalLoss != null;
    const text = isLasting ? eventText(event, progress) : null;
    if (text !== null) world.run.print(`${text}\n`);
    putForward(event.timestamp);
    if (event.type === 'training.log')
      world.jobs = [{ ...world.jobs[0]!, step: event.step, loss: event.loss ?? null }];
    if (event.type !== 'end') return;
    world.jobs = [finished];
    world.run.exit(0);
  }

  return {
    /** What `svc start` says first; the job is there. */
    begin() {
      world.jobs = [
        { ...job, status: 'running', completedAt: null, step: null, loss: null, bestScore: null },
      ];
      world.run.print(`Queued "${job.name}", job ${job.id}.\n`);
      world.run.status = { ...world.run.status, jobId: job.id };
    },
    /** Tells a share of the events that are left. */
    tell(count: number) {
      for (const event of events.slice(told, told + count)) tellOne(event);
      told += count;
    },
    get left() {
      return Math.max(0, events.length - told);
    },
  };
}

let ahead = 0;

/** Never back: what waits for a time would wait for long. */
function putForward(timestamp: string): void {
  ahead = Math.max(ahead, Date.parse(timestamp) - realNow());
  Date.now = () => realNow() + ahead;
}
