// `npm run readme-recording`: a short recording of the terminal for the README, `docs/pictures/terminal.svg`. It drives a real
// `svc dev` in a pseudo-terminal through a real training of the example support-triage; takes a minute or two. What is waited
// for is shown faster than it was, what is to be read stands still.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from './support/source-tree.js';
import { EXAMPLE, openExample } from './terminal/pictures/open-example.js';
import { type RecordedScreen, toRecording } from './terminal/pictures/to-recording.js';
import type { Screen } from './terminal/support/screen.js';

const SIZE = { columns: 100, rows: 28 };
const TITLE = 'The terminal dashboard: a training is started, watched, looked at on a log scale, and asked';
const QUESTION = 'I was charged twice for order 8123, please fix it. Anna';
const TRAINING_MS = 45 * 60_000;
/** Of a training: looked at so often, and so many screens shown so long each. */
const LOOK_EVERY_MS = 1500;
const FRAME_MS = 110;
const TRAINING_SCREENS = 45;
const GLANCE_MS = 900;
/** Checkpoints to go back to, and what the screen needs for one. */
const SAMPLES_BACK = 4;
const DRAWN_MS = 500;
const READ_MS = 2200;

const example = await openExample(SIZE);
try {
  const screens = await record(example.screen);
  const folder = join(repositoryRoot, 'docs', 'pictures');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'terminal.svg');
  const svg = toRecording(screens, TITLE);
  await writeFile(file, svg);
  console.log(`${file}: ${screens.length} screens, ${Math.round(svg.length / 1000)} kB`);
} finally {
  await example.close();
}

async function record(screen: Screen): Promise<RecordedScreen[]> {
  const screens: RecordedScreen[] = [];
  const keep = (ms: number) => void screens.push({ rows: screen.cells(), ms });
  await screen.shows(`Run training: ${EXAMPLE}`, 'cloud up');
  keep(READ_MS);
  screen.press('R');
  await screen.shows('Enter open job');
  keep(GLANCE_MS);
  screen.press('enter');
  await screen.shows('Training loss');
  await watchTraining(screen, rows => void screens.push({ rows, ms: FRAME_MS }));
  keep(GLANCE_MS);
  screen.press('y');
  await screen.shows('log scale');
  keep(READ_MS);
  screen.press('S');
  await screen.shows('Samples: ');
  keep(READ_MS);
  for (let step = 0; step < SAMPLES_BACK; step++) {
    screen.press('<');
    await sleep(DRAWN_MS);
    keep(GLANCE_MS);
  }
  screen.press('2');
  await screen.shows('1 job');
  keep(GLANCE_MS);
  screen.press('3', 'm');
  await screen.shows('Completed jobs', new RegExp(`${EXAMPLE} · [0-9a-f]{8}`));
  keep(GLANCE_MS);
  screen.press('enter');
  await screen.shows(/Adapter: .* \(job/);
  screen.press('enter');
  await screen.shows('Enter send');
  await typeSlowly(screen, keep);
  screen.press('enter');
  await screen.shows(/"ref":.*\}/);
  keep(2 * READ_MS);
  return screens;
}

/** As many screens however long it takes. */
async function watchTraining(screen: Screen, keep: (rows: RecordedScreen['rows']) => void): Promise<void> {
  const deadline = Date.now() + TRAINING_MS;
  const seen: RecordedScreen['rows'][] = [];
  while (!screen.text().includes('✓ completed')) {
    if (Date.now() > deadline) throw new Error(`The training does not end:\n${screen.text()}`);
    seen.push(screen.cells());
    await sleep(LOOK_EVERY_MS);
  }
  const every = Math.max(1, Math.ceil(seen.length / TRAINING_SCREENS));
  for (let index = 0; index < seen.length; index += every) keep(seen[index]!);
}

/** Some letters at a time. */
async function typeSlowly(screen: Screen, keep: (ms: number) => void): Promise<void> {
  for (let at = 0; at < QUESTION.length; at += 6) {
    screen.press(QUESTION.slice(at, at + 6));
    await screen.shows(QUESTION.slice(0, at + 6).trimEnd());
    keep(FRAME_MS);
  }
}
