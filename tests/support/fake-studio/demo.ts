// A world with something of everything in it, for pictures.
import { sampleDeployment, sampleJob, sampleKey } from '../samples.js';
import type { FakeEventLog } from './event-log.js';
import { BASE_MODEL, type World } from './world.js';

/** Newest first. */
export const DEMO_JOBS = {
  queued: '3e4f5a6b-7c8d-4e9f-a0b1-c2d3e4f5a6b7',
  running: '7d9a1c52-3f0b-4a8e-9b1d-0c5e6f7a8b91',
  completed: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
  failed: 'c0ffee00-1234-4abc-8def-001122334455',
  cancelled: '9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b',
};

export const DEMO_ENDPOINT = '2a2b3c4d-0000-4000-8000-000000000002';
export const LONG_SLUG = 'a-slug-of-fifty-characters-which-is-the-most-there';

const STEPS = 200;

export function fillDemo(world: World): void {
  const times = Object.fromEntries(
    Object.keys(DEMO_JOBS).map((status, index) => [status, `2026-03-0${5 - index}T10:0${index}:00.000Z`]),
  );
  const job = (status: keyof typeof DEMO_JOBS, name: string, fields = {}) =>
    sampleJob({
      id: DEMO_JOBS[status],
      status,
      name,
      createdAt: times[status]!,
      totalSteps: STEPS,
      ...fields,
    });
  world.jobs = [
    job('queued', 'triage with a longer context'),
    job('running', 'triage'),
    job('completed', 'מסנן תלונות בעברית', { artifactCount: 3 }),
    job(
      'failed',
      'redaction-of-personal-data-in-support-tickets-with-a-name-as-long-as-a-name-may-be-one-hundred-chars',
      {
        error: DEMO_FAILURE,
      },
    ),
    job('cancelled', 'translate'),
  ];
  fillEvents(world);
  world.run.begin();
  world.run.print(`Uploading tickets.jsonl (420 kB)\nJob ${DEMO_JOBS.running} (triage)\n`);
  for (let step = 10; step <= 140; step += 10)
    world.run.print(`step ${step}/${STEPS}  loss ${lossAt(step).toFixed(4)}\n`);
  world.run.status = { ...world.run.status, jobId: DEMO_JOBS.running };
  fillEndpoints(world);
  world.reply = async function* () {
    yield 'Category: billing\nPriority: high\n\nThe customer was charged twice for the same month and asks for ';
    yield 'a refund; the second charge has the same reference as the first.';
  };
}

export const DEMO_FAILURE =
  'dataset_invalid: tickets.jsonl, row 17: the last message is not one of the assistant, so that there is nothing to learn from this row. Add the answer, or leave the row out.';

function fillEvents(world: World): void {
  const running = world.eventsOf(DEMO_JOBS.running);
  const completed = world.eventsOf(DEMO_JOBS.completed);
  const failed = world.eventsOf(DEMO_JOBS.failed);
  const started = { model: BASE_MODEL, dataset: 'tickets.jsonl', totalSteps: STEPS, trainTokens: 81_920 };
  for (const log of [running, completed, failed]) log.push('training.started', started);
  for (let step = 1; step <= STEPS; step++) {
    for (const log of [running, completed]) {
      if (log === running && step > 140) continue;
      pushStep(log, step);
    }
  }
  completed.push('training.completed', { artifacts: [{}, {}, {}], metrics: {} });
  completed.push('end', { status: 'completed' });
  failed.push('training.failed', { error: DEMO_FAILURE });
  failed.push('end', { status: 'failed' });
}

/** One step of a training that learns. */
export function pushStep(log: FakeEventLog, step: number): void {
  const loss = lossAt(step);
  log.push('training.log', { step, loss, ...(step % 20 === 0 && { evalLoss: loss + 0.12 }) });
  if (step % 50 === 0) log.push('checkpoint.saved', { step, artifacts: [] });
}

function fillEndpoints(world: World): void {
  const jobId = DEMO_JOBS.completed;
  world.deployments = [
    sampleDeployment({ id: DEMO_ENDPOINT, slug: 'triage', url: 'https://triage.d.example.com' }),
    sampleDeployment({
      id: '2a2b3c4d-0000-4000-8000-000000000003',
      slug: LONG_SLUG,
      url: `https://${LONG_SLUG}.d.example.com`,
      target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: 150 } },
      enabled: false,
    }),
    sampleDeployment({
      id: '2a2b3c4d-0000-4000-8000-000000000004',
      slug: 'plain',
      url: 'https://plain.d.example.com',
      target: { kind: 'base_model', baseModel: BASE_MODEL },
      authMode: 'none',
    }),
  ];
  world.keys[DEMO_ENDPOINT] = [
    sampleKey({ label: 'support desk', prefix: 'svc_live_8sK' }),
    sampleKey({ id: 'k2', label: 'an old laptop', prefix: 'svc_live_Q2x', enabled: false }),
  ];
}

/** Falls, with a wobble that is the same each time. */
function lossAt(step: number): number {
  return 0.4 + 2.1 * Math.exp(-step / 45) + 0.06 * Math.sin(step * 1.7) + 0.04 * Math.sin(step * 0.61);
}
