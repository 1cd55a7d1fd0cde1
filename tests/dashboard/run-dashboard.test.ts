import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { type RunDashboardOptions, runDashboard } from '../../cli/dashboard/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { fakeStudio } from './support/fake-studio.js';

function openTerminal(studio = fakeStudio(), part = {}) {
  const written: string[] = [];
  const modes: boolean[] = [];
  const signals = new Map<string, () => void>();
  const logFile = join(temporaryFolder('svc-dashboard'), 'log');
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  });
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24, isTTY: true });
  stdout.on('data', (bytes: Buffer) => written.push(bytes.toString()));
  const io = {
    stdin,
    stdout,
    env: {},
    onSignal(signal: string, react: () => void) {
      signals.set(signal, react);
      return () => void signals.delete(signal);
    },
  };
  const { client, openEventSource } = studio;
  const ended = runDashboard({
    client,
    openEventSource,
    studioUrl: 'http://localhost:4000',
    io,
    logFile,
    ...part,
  });
  const text = () => written.join('');
  const shows = (wanted: string) => until(() => stripVTControlCharacters(text())).toContain(wanted);
  return { studio, ended, text, shows, modes, signals, logFile, stdin, stdout };
}

const LEAVE = '\u001b[?1049l';

it('takes the terminal, shows the dashboard, and gives the terminal back with a line about what ran', async () => {
  const terminal = openTerminal();
  await terminal.shows('Run training: triage');
  expect(terminal.text().startsWith('\u001b[?1049h')).toBe(true);
  expect(terminal.modes).toEqual([true]);
  terminal.stdin.write('q');
  await expect(terminal.ended).resolves.toEqual({
    summary: `No training was started. Log: ${terminal.logFile}`,
  });
  expect(terminal.text().endsWith(LEAVE)).toBe(true);
  expect(terminal.modes).toEqual([true, false]);
  expect(terminal.signals.size).toBe(0);
});

it.each(['SIGTERM', 'SIGINT'])('is left by %s, without a question', async signal => {
  const going = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: null, exitCode: null };
  const terminal = openTerminal(fakeStudio({ train: going }));
  await terminal.shows('running');
  terminal.signals.get(signal)!();
  await terminal.ended;
  expect(terminal.text().endsWith(LEAVE)).toBe(true);
});

it.each([
  ['is told so', (terminal: ReturnType<typeof openTerminal>) => terminal.signals.get('SIGHUP')!()],
  ['cannot be read from', ({ stdin }) => void stdin.emit('error', new Error('EIO'))],
])('writes nothing more when the terminal was closed and it %s', async (_how, close) => {
  const terminal = openTerminal();
  await terminal.shows('Run training');
  const before = terminal.text();
  close(terminal);
  expect(await terminal.ended).toEqual({ summary: null });
  expect(terminal.text()).toBe(before);
});

it('shows what it is told in a line, and begins where it is told to', async () => {
  let tell: (line: string) => void = () => {};
  const onReady: RunDashboardOptions['onReady'] = ({ notify }) => {
    tell = notify;
  };
  const start = { tab: 'jobs', id: null };
  const terminal = openTerminal(fakeStudio(), { start, onReady });
  await terminal.shows('No jobs yet');
  tell('The local cloud was started.');
  await terminal.shows('The local cloud was started.');
  terminal.stdin.write('q');
  await terminal.ended;
});

it('says that the cloud is there once it is told, without asking', async () => {
  let cloudAnswered = () => {};
  const onReady: RunDashboardOptions['onReady'] = told => {
    ({ cloudAnswered } = told);
  };
  const terminal = openTerminal(fakeStudio(), { onReady });
  await terminal.shows('cloud linked');
  cloudAnswered();
  await terminal.shows('cloud up');
  expect(new Set(terminal.studio.calls)).toEqual(
    new Set(['getIdentity', 'getManifest', 'getTrainStatus', 'getOverview']),
  );
  terminal.stdin.write('q');
  await terminal.ended;
});

it('is left from outside', async () => {
  const stop = new AbortController();
  const terminal = openTerminal(fakeStudio(), { signal: stop.signal });
  await terminal.shows('Run training');
  stop.abort();
  await terminal.ended;
  expect(terminal.text().endsWith(LEAVE)).toBe(true);
});

it('gives the terminal back when it breaks, and passes the error on', async () => {
  const studio = fakeStudio();
  studio.world.identity = {
    ...studio.world.identity,
    cloudHost: { toString: () => 'x' } as unknown as string,
  };
  Object.defineProperty(studio.world.identity, 'mode', {
    get() {
      throw new Error('zebra broke');
    },
  });
  const terminal = openTerminal(studio);
  await expect(terminal.ended).rejects.toThrow('zebra broke');
  expect(terminal.text().endsWith(LEAVE)).toBe(true);
});

it('draws all anew when the terminal is resized, and nothing when nothing changes', async () => {
  const clock = createVirtualClock();
  const terminal = openTerminal(fakeStudio(), { clock });
  await clock.pass(200);
  await terminal.shows('Run training');
  await clock.pass(60_000);
  const before = terminal.text().length;
  await clock.pass(60_000);
  expect(terminal.text().length).toBe(before);
  Object.assign(terminal.stdout, { columns: 39 });
  terminal.stdout.emit('resize');
  await clock.pass(100);
  await terminal.shows('The terminal is too small: 39x24.');
  terminal.stdin.write('q');
  await terminal.ended;
});

it('copies through the terminal', async () => {
  const terminal = openTerminal(fakeStudio({ deployments: [], jobs: [] }));
  await terminal.shows('Run training');
  terminal.studio.world.train = { running: false, startedAt: 'x', jobId: 'j-1', exitCode: 0 };
  terminal.stdin.write('r');
  await terminal.shows('j-1');
  terminal.stdin.write('c');
  await until(terminal.text).toContain(`\u001b]52;c;${Buffer.from('j-1').toString('base64')}`);
  terminal.stdin.write('q');
  await terminal.ended;
});

it('keeps what libraries say to the console off the screen, in the log', async () => {
  const before = globalThis.console;
  const terminal = openTerminal();
  await terminal.shows('Run training');
  console.warn('a library complains');
  terminal.stdin.write('q');
  await terminal.ended;
  expect(globalThis.console).toBe(before);
  expect(terminal.text()).not.toContain('a library complains');
  await until(() => readFileSync(terminal.logFile, 'utf8')).toContain('a library complains');
});

it('leaves the environment as it was', async () => {
  const before = process.env.NODE_ENV;
  const terminal = openTerminal();
  await terminal.shows('Run training');
  expect(process.env.NODE_ENV).toBe(before);
  terminal.stdin.end();
  await terminal.ended;
});
