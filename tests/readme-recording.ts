// `npm run readme-recording [-- FOLDER]`: a short recording of the terminal for the README, `docs/pictures/terminal.svg`. The
// example support-triage is really trained; then the dashboard shows that run from its start, faster than it was, and the
// finished adapter is really asked. FOLDER is a project that has been trained already; without it, some minutes are needed.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job, JobEvent } from '../lib/contract/index.js';
import { repositoryRoot } from './support/repository-root.js';
import { EXAMPLE, type Example, openExample } from './terminal/pictures/open-example.js';
import { createReplay } from './terminal/pictures/replay-run.js';
import { type ShownDashboard, showDashboard } from './terminal/pictures/show-dashboard.js';
import { type RecordedScreen, toRecording } from './terminal/pictures/to-recording.js';

const SIZE = { columns: 100, rows: 32 };
const TITLE = 'The terminal dashboard: a training is started, watched, looked at on a log scale, and asked';
const QUESTION = 'I was charged twice for order NC-25516. Please fix it today. Many thanks, Anna';
/** Of a training: so many screens, shown so long each. */
const TRAINING_SCREENS = 48;
/** Before the scale is changed. */
const LINEAR_SCREENS = 10;
const FRAME_MS = 110;
const TURN_MS = 450;
const GLANCE_MS = 900;
const READ_MS = 2400;
const LETTERS_A_FRAME = 6;

process.env.TZ = 'UTC';
const [given] = process.argv.slice(2);
const example = await openExample(given);
try {
  const screens = await record(example);
  const folder = join(repositoryRoot, 'docs', 'pictures');
  await mkdir(folder, { recursive: true });
  const svg = toRecording(screens, TITLE);
  await writeFile(join(folder, 'terminal.svg'), svg);
  process.stdout.write(`terminal.svg: ${screens.length} screens, ${Math.round(svg.length / 1000)} kB\n`);
} finally {
  await example.close();
}
process.exit();

async function record(example: Example): Promise<RecordedScreen[]> {
  const { id } = await example.finishedRun();
  const { job } = JSON.parse(await example.svc('jobs', 'show', id, '--json')) as { job: Job };
  const events = (await example.svc('jobs', 'logs', id, '--json'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as JobEvent);
  const answer = (await example.svc('chat', '--job', id, QUESTION)).trim();
  const { size: bytes } = await stat(join(example.folder, 'data', 'train.jsonl'));
  const dashboard = await showDashboard(SIZE, world => {
    world.identity = { ...world.identity, projectSlug: EXAMPLE };
    world.manifest = {
      trainer: { name: EXAMPLE, model: world.identity.baseModel, data: { name: 'train.jsonl', bytes } },
    };
    world.reply = async function* () {
      yield* answer.match(/.{1,4}/gs) ?? [];
    };
  });
  try {
    return await play(dashboard, job, events);
  } finally {
    await dashboard.close();
  }
}

async function play(
  { studio, shows, press, settled, cells }: ShownDashboard,
  job: Job,
  events: readonly JobEvent[],
): Promise<RecordedScreen[]> {
  const screens: RecordedScreen[] = [];
  const keep = async (ms: number) => {
    await settled();
    screens.push({ rows: cells(), ms });
  };
  const replay = createReplay(studio.world, job, events);
  await shows(`Run training: ${EXAMPLE}`, 'cloud up');
  await keep(READ_MS);
  await press('R');
  await shows('running');
  replay.begin();
  replay.tell(1);
  await shows('Enter open job', /Training svc\S+ \d+ steps/);
  await keep(GLANCE_MS);
  await press('enter');
  await shows('Loss', job.id);
  const share = Math.ceil(replay.left / TRAINING_SCREENS);
  for (let screen = 0; replay.left > 0; screen++) {
    if (screen === LINEAR_SCREENS) {
      await press('y');
      await shows('log scale');
      await keep(GLANCE_MS);
    }
    replay.tell(share);
    await keep(FRAME_MS);
  }
  await shows('✓ completed');
  await keep(READ_MS);
  await press('S');
  await shows('Samples: Final');
  await keep(READ_MS);
  const steps = new Set(events.map(event => event.type === 'sample.generated' && event.step)).size - 1;
  for (let at = steps - 1; at > 0; at--) {
    await press('<');
    await shows(`(${at} of ${steps})`);
    await keep(at > 1 ? TURN_MS : READ_MS);
  }
  await press('2');
  await shows('1 job');
  await keep(GLANCE_MS);
  await press('3', 'm');
  await shows('Completed jobs', `${EXAMPLE} · ${job.id.slice(0, 8)}`);
  await keep(GLANCE_MS);
  await press('enter');
  await shows(`(job ${job.id.slice(0, 8)})`);
  await press('enter');
  await shows('Enter send');
  for (let at = 0; at < QUESTION.length; at += LETTERS_A_FRAME) {
    await press(...QUESTION.slice(at, at + LETTERS_A_FRAME));
    await keep(FRAME_MS);
  }
  await press('enter');
  await shows(/"ref":.*\}/);
  await keep(2 * READ_MS);
  return screens;
}
