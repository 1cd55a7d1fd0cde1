// The built `svc watch` in a real terminal of every size: a job, an overview, a sweep, a comparison, and two models.
// One process goes through all of them, and the terminal is resized on each.
import { beforeAll, expect, it } from 'vitest';
import { displayWidth } from '../../lib/console/index.js';
import type { JobEvent } from '../../lib/contract/index.js';
import { at, completed, ended, log, started } from '../cli/support/job-events.js';
import { openRemoteProject } from '../support/remote-project.js';
import { sampleJob } from '../support/samples.js';
import { until } from '../support/until.js';
import type { Size } from './support/emulator.js';
import { openSvc } from './support/open-svc.js';
import type { Screen } from './support/screen.js';

const SIZES: readonly Size[] = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
];
const SWEEP = '5e3a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80';
/** As asciichart draws a curve. */
const CURVE = /[╭╮╰╯]─/;
const BRAILLE = /[\u2801-\u28ff]/;

const JOBS = [0.001, 0.002, 0.004, 0.008].map((rate, index) =>
  sampleJob({
    id: `${index}2a9c1e0-7a51-4b8e-9d3a-0c2f5b6d7e8${index}`,
    name: `triage of a long name ${index}`,
    status: 'completed',
    loss: rate * 100,
    bestScore: { name: 'right', value: 0.5 + index / 10, higher: true },
    config: { learningRate: rate },
    group: { id: SWEEP, settings: ['learningRate', 'lora.r'].map(name => ({ name, value: rate })) },
  }),
);

function eventsOf(id: string): JobEvent[] {
  const of = (second: number) => ({ jobId: id, timestamp: at(second) });
  const logs = Array.from({ length: 30 }, (_, i) =>
    log({ step: i + 1, loss: 3 / (i + 1) + Number(id[0]), ...of(i) }),
  );
  const end = { artifacts: [], ...of(31) };
  return [started({ totalSteps: 30, ...of(0) }), ...logs, completed(end), { ...ended(), ...of(31) }];
}

let project: Awaited<ReturnType<typeof openRemoteProject>>;
beforeAll(async () => {
  project = await openRemoteProject({
    getOverview: () => ({
      running: [],
      recent: JOBS.slice(0, 3),
      endpoints: [{ id: SWEEP, slug: 'feedback', enabled: true, requests: 12, failed: 1 }],
    }),
  });
  project.cloud.jobs = JOBS.map(job => ({ job, events: eventsOf(job.id), archives: {} }));
  await project.link();
  return () => project.close();
});

/** Of the rows of a screen: those whose frame is open at the right, and those that are cut. */
function faultsOf(lines: readonly string[], columns: number): string[] {
  return lines.filter(line => {
    const isFramed = /^[╭╰│]/.test(line);
    return (
      displayWidth(line) > columns ||
      (isFramed && displayWidth(line) !== columns) ||
      (isFramed && !/[╮╯│]$/.test(line))
    );
  });
}

/** Shows these at each size, in a whole frame, with the keys that are always there at the end of the last row. */
async function fitsEverySize(
  screen: Screen,
  wanted: (size: Size) => readonly (string | RegExp)[],
): Promise<void> {
  for (const size of SIZES) {
    const { columns, rows } = size;
    screen.resize(size);
    await screen.shows(...wanted(size));
    await until(() => faultsOf(screen.lines(), columns)).toEqual([]);
    expect(screen.lines()).toHaveLength(rows);
    await until(() => screen.lines().at(-1)).toMatch(/\? help +q quit$/);
    expect(displayWidth(screen.lines().at(-1)!)).toBeLessThanOrEqual(columns);
  }
}

it('a job, an overview, a sweep, a comparison and two models fit every size, and their keys work', async () => {
  const screen = openSvc(['watch'], { ...project, size: SIZES[0] });
  await screen.shows('4 jobs');
  screen.press('enter');
  await fitsEverySize(screen, () => ['Loss', /step 30\b/i, CURVE]);
  screen.press('y', 'b');
  await screen.shows('log scale', BRAILLE);
  screen.press('y', 'b', 'escape');
  await screen.shows('4 jobs');
  screen.press('1');
  await fitsEverySize(screen, ({ rows }) => [
    'best right 0.5',
    ...(rows > 24 ? ['12 requests', 'in the last hour'] : []),
  ]);

  screen.resize(SIZES[0]!);
  screen.press('2');
  await screen.shows('4 jobs');
  screen.press('s');
  await fitsEverySize(screen, ({ rows }) => [
    'Sweep 5e3a9c1e',
    'best right 0.8',
    /Status +Name/,
    ...(rows > 20 ? [BRAILLE, /learningRate.*lora\.r.*Best right/] : []),
  ]);

  screen.press('s', ' ', 'j', ' ', 'j', ' ', 'C');
  await screen.shows('Comparing 3 runs');
  screen.press('y');
  await fitsEverySize(screen, ({ columns }) => [CURVE, 'Step 30', ...(columns > 60 ? ['log scale'] : [])]);

  screen.press('3', 'p');
  await screen.shows('Completed jobs', 'triage of a long name 0');
  screen.press('escape');
  await screen.shows('Conversation');
  screen.press('b');
  await screen.shows('The second model answers');
  screen.press('enter');
  await screen.shows('Enter send');
  screen.press('hello', 'enter');
  await screen.shows(/1: hello/);
  // Until both have answered, Esc stops them.
  await screen.hides('▍');
  screen.press('escape');
  await fitsEverySize(screen, ({ columns }) => [columns < 100 ? /1: hello/ : /1: hello +│.*1: hello/]);
  screen.press('q');
  expect(await screen.exited).toBe(0);
});
