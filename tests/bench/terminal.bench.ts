// What the dashboard costs while a job logs 50 events a second, and while nothing happens; and how long it takes to be
// there. The built program in a pseudo-terminal, over a cloud that is scripted; it tells its own CPU time.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, LoggedSteps, toFrames, writeLogLines } from '../../lib/contract/index.js';
import { encodeEvents, eventStream } from '../../lib/http/index.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { repositoryRoot } from '../support/repository-root.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { openScreen, type Screen } from '../terminal/support/screen.js';
import type { Row } from './table.js';

export const name = 'the dashboard at 120x40';

const EVENTS_A_SECOND = 50;
const POINTS = 100_000;
const LONG_ID = '1a2b3c4d-0000-4000-8000-0000000000aa';
const SETTLE_MS = 3000;
const BUSY_MS = 20_000;
/** Several polls, and what is cleared away once a program has started. */
const IDLE_MS = 60_000;
const STARTS = 5;
const KEYS = 100;
/** Longer than it takes to draw, and never in step with what is drawn by itself. */
const BETWEEN_KEYS_MS = [60, 190] as const;
const SIZE = { columns: 120, rows: 40 };
/** At a signal, it writes down how much CPU time it has used. */
const PROBE = `import { writeFileSync } from 'node:fs';
process.on('SIGUSR2', () => writeFileSync(process.env.PROBE_FILE, JSON.stringify(process.cpuUsage())));`;

export async function run(): Promise<Row[]> {
  const job = sampleJob({ id: JOB_ID, status: 'running' });
  const long = sampleJob({ id: LONG_ID, name: 'long', status: 'running' });
  const project = await openRemoteProject({
    listJobs: () => ({ jobs: [long, job] }),
    getJob: ({ params }) => ({ job: params.id === LONG_ID ? long : job }),
    readJobLog({ params }) {
      if (!hasLog || params.id !== LONG_ID) throw new ApiError('unknown_url', 'There is none.');
      return new Response(ReadableStream.from(LONG_LOG.lines) as ReadableStream<Uint8Array>);
    },
    streamJobEvents: ({ params, query }) =>
      params.id === LONG_ID
        ? streamLong(Number(query.after ?? 0))
        : eventStream(writer => log(writer, () => isBusy)),
  });
  let isBusy = false;
  let hasLog = true;
  try {
    await project.link();
    const { root } = project;
    const open = (...args: string[]) => openSvc(root, project, args);
    const starts = [
      await measureStarts(() => open('dev', '--port', '0')),
      await measureStarts(() => open('watch')),
    ];
    const opening = await measureOpening(() => open('watch'), root);
    hasLog = false;
    const older = await measureOpening(() => open('watch'), root);
    const screen = open('watch', JOB_ID);
    await screen.shows('Event log', 'step=1 ');
    const idle = await measure(screen, root, IDLE_MS);
    const idleKeyMs = await measureKeys(screen);
    isBusy = true;
    const busy = await measure(screen, root, BUSY_MS);
    const busyKeyMs = await measureKeys(screen);
    screen.press('q');
    await screen.exited;
    return [
      { what: 'svc dev, start to first frame', value: starts[0]!, unit: 'ms' },
      { what: 'svc watch, start to first frame', value: starts[1]!, unit: 'ms' },
      { what: `a job of ${POINTS} points, from Enter to its chart`, value: opening.ms, unit: 'ms' },
      { what: '… CPU', value: opening.cpuMs, unit: 'ms' },
      { what: '… from a cloud that sends single events', value: older.ms, unit: 'ms' },
      { what: '… CPU', value: older.cpuMs, unit: 'ms' },
      { what: 'nothing happens: from a key to the screen, 95 % within', value: idleKeyMs, unit: 'ms' },
      { what: 'nothing happens: CPU', value: idle.cpuPercent, unit: '% of a core' },
      { what: 'nothing happens: written', value: idle.bytesAMinute, unit: 'bytes a minute' },
      { what: `${EVENTS_A_SECOND} events a second: CPU`, value: busy.cpuSecondsAMinute, unit: 's a minute' },
      {
        what: `${EVENTS_A_SECOND} events a second: written`,
        value: busy.bytesAMinute / 1000,
        unit: 'kB a minute',
      },
      {
        what: `${EVENTS_A_SECOND} events a second: from a key to the screen, 95 % within`,
        value: busyKeyMs,
        unit: 'ms',
      },
    ];
  } finally {
    await project.close();
  }
}

/** The median. */
async function measureOpening(open: () => Screen, root: string): Promise<{ ms: number; cpuMs: number }> {
  const times: { ms: number; cpuMs: number }[] = [];
  for (let count = 0; count < STARTS; count++) times.push(await measureOneOpening(open(), root));
  return times.sort((a, b) => a.ms - b.ms)[Math.floor(STARTS / 2)]!;
}

async function measureOneOpening(screen: Screen, root: string): Promise<{ ms: number; cpuMs: number }> {
  await screen.shows('2 jobs');
  await sleep(SETTLE_MS);
  const before = await readCpu(screen, root);
  const began = performance.now();
  screen.press('enter');
  await screen.shows(`step=${POINTS} `);
  const took = performance.now() - began;
  const cpu = (await readCpu(screen, root)) - before;
  screen.press('q');
  await screen.exited;
  return { ms: Math.round(took), cpuMs: Math.round(cpu * 1000) };
}

/** As a cloud sends a log: many events at a time. */
const LONG_PARTS = Array.from({ length: POINTS / 1000 }, (_, part) => {
  const steps = Array.from({ length: 1000 }, (_, index) => 1 + part * 1000 + index);
  const loss = steps.map(step => 0.4 + 2 * Math.exp(-step / 20_000) + 0.1 * Math.sin(step * 1.7));
  return new LoggedSteps({ jobId: LONG_ID, first: steps[0]!, times: steps, columns: { step: steps, loss } });
});
const LONG_LOG = {
  events: LONG_PARTS.map(part => encodeEvents(toFrames([part]))),
  lines: LONG_PARTS.map(part => new TextEncoder().encode(writeLogLines([part]))),
};

function streamLong(after: number): Response {
  return eventStream(async ({ sendBytes, signal }) => {
    for (const part of LONG_LOG.events.slice(after / 1000)) await sendBytes(part);
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
  });
}

type Writer = Parameters<Parameters<typeof eventStream>[0]>[0];

/** As every log begins: it tells that the job runs. Then one step, and as many a second as are wanted. */
async function log({ send, signal }: Writer, isBusy: () => boolean): Promise<void> {
  const started = { type: 'training.started', jobId: JOB_ID, timestamp: new Date().toISOString() };
  await send({ id: 1, event: 'training.started', data: JSON.stringify(started) });
  for (let step = 1; !signal.aborted; ) {
    const loss = 0.4 + 2 * Math.exp(-step / 200) + 0.1 * Math.sin(step * 1.7);
    const data = {
      type: 'training.log',
      jobId: JOB_ID,
      step,
      loss,
      ...(step % 20 === 0 && { evalLoss: loss }),
    };
    await send({ id: 1 + step, event: 'training.log', data: JSON.stringify(data) });
    do await sleep(1000 / EVENTS_A_SECOND);
    while (!isBusy() && !signal.aborted);
    step++;
  }
}

async function measure(screen: Screen, root: string, forMs: number) {
  await sleep(SETTLE_MS);
  const before = { cpu: await readCpu(screen, root), length: screen.written.length, at: performance.now() };
  await sleep(forMs);
  const minutes = (performance.now() - before.at) / 60_000;
  const bytes = Buffer.byteLength(screen.written.slice(before.length));
  const cpuSeconds = (await readCpu(screen, root)) - before.cpu;
  return {
    bytesAMinute: Math.round(bytes / minutes),
    cpuSecondsAMinute: cpuSeconds / minutes,
    cpuPercent: (cpuSeconds / minutes / 60) * 100,
  };
}

/** `?` opens the help, and closes it again. */
async function measureKeys(screen: Screen): Promise<number> {
  const times: number[] = [];
  const [least, most] = BETWEEN_KEYS_MS;
  for (let count = 0; count < KEYS; count++) {
    await sleep(least + Math.random() * (most - least));
    const began = performance.now();
    screen.press('?');
    await (count % 2 === 0 ? screen.shows(HELP_TEXT) : screen.hides(HELP_TEXT));
    times.push(performance.now() - began);
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(KEYS * 0.95)]!);
}

const HELP_TEXT = 'Shortcuts are off while typing.';

async function readCpu({ kill }: Screen, root: string): Promise<number> {
  const file = join(root, 'probe.json');
  await rm(file, { force: true });
  kill('SIGUSR2');
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') {
      const { user, system } = JSON.parse(text) as NodeJS.CpuUsage;
      return (user + system) / 1e6;
    }
    await sleep(10);
  }
}

/** The median. */
async function measureStarts(open: () => Screen): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const began = performance.now();
    const screen = open();
    await screen.shows('1 Overview');
    times.push(performance.now() - began);
    screen.kill('SIGTERM');
    await screen.exited;
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(STARTS / 2)]!);
}

function openSvc(root: string, { cwd, env }: RemoteProject, args: readonly string[]): Screen {
  return openScreen({
    file: process.execPath,
    args: [join(repositoryRoot, 'dist', 'cli', 'bin.js'), ...args],
    cwd,
    size: SIZE,
    env: {
      PATH: process.env.PATH!,
      HOME: root,
      LANG: 'C.UTF-8',
      ...env,
      PROBE_FILE: join(root, 'probe.json'),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(PROBE)}`,
    },
  });
}
