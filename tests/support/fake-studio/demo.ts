// A world with something of everything in it, for pictures. What its runs tell is what a real one told: the example
// `support-triage` with 200 steps, each logged, as `svc start --json` printed it.
import { readFileSync } from 'node:fs';
import type { JobEvent } from '../../../lib/contract/index.js';
import { sampleKeptEvaluation } from '../sample-evaluation.js';
import { sampleKept } from '../sample-kept.js';
import { sampleDeployment, sampleJob, sampleKey } from '../samples.js';
import type { FakeEventLog } from './event-log.js';
import { JUDGED_CONFIG, judge } from './judged.js';
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
/** Offers more than chat, to web pages too. */
/** Of the endpoint without keys, compared with nothing. */
const DEMO_EVALUATION = '5e2b3c4d-0000-4000-8000-000000000006';
export const DEMO_OFFER = '2a2b3c4d-0000-4000-8000-000000000004';
const LONG_SLUG = 'a-slug-of-fifty-characters-which-is-the-most-there';

const RECORDED = readFileSync(new URL('./recorded/triage.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as JobEvent)
  .flatMap(event => [event, ...judge(event)]);

const STEPS = 200;
/** The last step that the running job has told, each with a loss. */
export const DEMO_STEP = 140;
const PLAYED = RECORDED.findIndex(event => event.type === 'training.log' && event.step === DEMO_STEP) + 1;

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
    job('queued', 'triage with a longer context', { startedAt: null }),
    job('running', 'triage', {
      tags: ['v2'],
      step: 140,
      loss: 0.0891,
      config: DEMO_CONFIG,
      fileNames: { [DEMO_FILES.training]: 'tickets.jsonl', [DEMO_FILES.evaluation]: 'held-out.jsonl' },
      customSettings: ['numTrainEpochs', 'learningRate', 'loggingSteps'],
    }),
    job('completed', 'מסנן תלונות בעברית', {
      artifactCount: 4,
      config: DEMO_CONFIG,
      fileNames: { [DEMO_FILES.training]: 'tickets.jsonl', [DEMO_FILES.evaluation]: 'held-out.jsonl' },
      tags: ['baseline', 'v2'],
      note: 'The first one that files refunds right.',
      startedAt: times.completed,
      completedAt: '2026-03-03T10:02:47.000Z',
      loss: 0.0325,
      evalLoss: 0.0812,
      bestLoss: 0.0312,
      bestEvalLoss: 0.0766,
      bestScore: { name: 'right', value: 0.85, higher: true },
    }),
    job(
      'failed',
      'redaction-of-personal-data-in-support-tickets-with-a-name-as-long-as-a-name-may-be-one-hundred-chars',
      {
        error: DEMO_FAILURE,
        completedAt: '2026-03-02T10:03:04.000Z',
      },
    ),
    job('cancelled', 'translate', { completedAt: '2026-03-01T10:06:30.000Z' }),
  ];
  fillEvents(world);
  world.run.begin();
  world.run.print(`Uploading tickets.jsonl (420 kB)\nJob ${DEMO_JOBS.running} (triage)\n`);
  for (const event of RECORDED.slice(0, PLAYED)) printProgress(world, event);
  world.run.status = { ...world.run.status, jobId: DEMO_JOBS.running };
  fillDeployments(world);
  world.reply = async function* () {
    yield 'Category: billing\nPriority: high\n\nThe customer was charged twice for the same month and asks for ';
    yield 'a refund; the second charge has the same reference as the first.';
  };
}

const DEMO_FILES = {
  training: '5f6a7b8c-0000-4000-8000-000000000006',
  evaluation: '5f6a7b8c-0000-4000-8000-000000000007',
};
const DEMO_CONFIG = {
  model: BASE_MODEL,
  datasetSource: { type: 'upload', datasetId: DEMO_FILES.training },
  evalDatasetSource: { type: 'upload', datasetId: DEMO_FILES.evaluation },
  loraR: 16,
  loraAlpha: 32,
  targetModules: ['q_proj', 'k_proj', 'v_proj', 'o_proj'],
  maxLength: 512,
  numTrainEpochs: 12,
  learningRate: 0.002,
  batchSize: 8,
  loggingSteps: 5,
  saveSteps: 50,
  seed: 42,
  ...JUDGED_CONFIG,
};

const DEMO_FAILURE =
  'dataset_invalid: tickets.jsonl, row 17: the last message is not one of the assistant, so that there is nothing to learn from this row. Add the answer, or leave the row out.';

function fillEvents(world: World): void {
  for (const event of RECORDED) pushEvent(world.eventsOf(DEMO_JOBS.completed), event);
  for (const event of RECORDED.slice(0, PLAYED)) pushEvent(world.eventsOf(DEMO_JOBS.running), event);
  const failed = world.eventsOf(DEMO_JOBS.failed);
  pushEvent(failed, RECORDED[0]!);
  failed.push('training.failed', { error: DEMO_FAILURE });
  failed.push('end', { status: 'failed' });
}

function pushEvent(log: FakeEventLog, { type, ...payload }: JobEvent): void {
  log.push(type, payload);
}

/** Takes the running job one event further; false when there is none left. */
export function playOn(world: World): boolean {
  const event = RECORDED[playedOf.get(world) ?? PLAYED];
  if (!event) return false;
  playedOf.set(world, (playedOf.get(world) ?? PLAYED) + 1);
  pushEvent(world.eventsOf(DEMO_JOBS.running), event);
  printProgress(world, event);
  const job = world.jobs.find(({ id }) => id === DEMO_JOBS.running)!;
  if (event.type === 'training.completed') job.artifactCount = event.artifacts.length;
  if (event.type !== 'end') return true;
  job.status = event.status;
  world.run.exit(0);
  return true;
}

/** What the run that was started here says of it. */
function printProgress(world: World, event: JobEvent): void {
  if (event.type === 'training.log' && event.step % 10 === 0)
    world.run.print(`step ${event.step}/${STEPS}  loss ${event.loss!.toPrecision(4)}\n`);
}

const playedOf = new WeakMap<World, number>();

function fillDeployments(world: World): void {
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
      id: DEMO_OFFER,
      slug: 'plain',
      keepRequests: true,
      url: 'https://plain.d.example.com',
      target: { kind: 'base_model', baseModel: BASE_MODEL },
      authMode: 'none',
      operations: ['chat', 'responses', 'models'],
      corsOrigins: ['https://support.example.com', 'http://localhost:5173'],
    }),
  ];
  world.kept = [
    sampleKept({
      id: 'kept-1',
      messages: [
        { role: 'system', content: 'Answer customers in one sentence.' },
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'How can I help?' },
        { role: 'user', content: 'My parcel is late.' },
      ],
    }),
    sampleKept({ id: 'kept-2', mark: 'corrected', correction: { content: 'It arrives on Monday.' } }),
    sampleKept({ id: 'kept-3', outcome: 'aborted', answer: { content: 'It arr' } }),
  ];
  const evaluated = sampleKeptEvaluation();
  world.evaluations = [
    sampleKeptEvaluation({
      subject: {
        target: { kind: 'adapter', adapter: { kind: 'final', jobId: DEMO_JOBS.completed } },
        endpoint: null,
      },
    }),
    {
      ...evaluated,
      evaluation: {
        ...evaluated.evaluation,
        id: DEMO_EVALUATION,
        subject: { target: { kind: 'base_model', baseModel: BASE_MODEL }, endpoint: 'plain' },
        comparison: null,
      },
    },
  ];
  world.keys[DEMO_ENDPOINT] = [
    sampleKey({ label: 'support desk', prefix: 'svc_live_8sK' }),
    sampleKey({ id: 'k2', label: 'an old laptop', prefix: 'svc_live_Q2x', enabled: false }),
  ];
}
