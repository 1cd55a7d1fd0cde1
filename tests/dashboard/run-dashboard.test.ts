import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunDashboardOptions } from '../../cli/dashboard/index.js';
import { until } from '../support/until.js';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { type OpenTerminal, openTerminal } from './support/open-terminal.js';

const GIVEN_BACK = { isTaken: false, isCursorShown: true, isMouseRead: false, isRaw: false };
const TAKEN = { isTaken: true, isCursorShown: false, isMouseRead: true, isRaw: true };

/** All that could keep a process alive, or hear of it later. */
const listeners = (terminal: OpenTerminal) => ({
  resize: terminal.stdout.listenerCount('resize'),
  signals: terminal.signals.size,
  exit: process.listenerCount('exit'),
  continued: process.listenerCount('SIGCONT'),
});

describe('the terminal', () => {
  it('is taken, shows the dashboard, and is given back with a line about what ran', async () => {
    const terminal = openTerminal();
    await terminal.shows('1 Overview');
    await terminal.shows('cloud up');
    expect(terminal.state()).toEqual(TAKEN);
    terminal.press('q');
    await expect(terminal.ended).resolves.toEqual({
      summary: `No training was started. Log: ${terminal.logFile}`,
    });
    await terminal.drawn();
    expect(terminal.state()).toEqual(GIVEN_BACK);
    expect(terminal.text()).toBe('\n'.repeat(23));
  });

  const stop = new AbortController();
  it.each<[way: string, leave: (terminal: OpenTerminal) => void, part?: Partial<RunDashboardOptions>]>([
    ['Ctrl-C', ({ press }) => press('ctrl-c')],
    ['SIGTERM', ({ signals }) => signals.get('SIGTERM')!()],
    ['SIGINT', ({ signals }) => signals.get('SIGINT')!()],
    ['the end of its input', ({ stdin }) => stdin.end()],
    ['its caller', () => stop.abort(), { signal: stop.signal }],
  ])('is given back after %s, and nothing listens anymore', async (_way, leave, part) => {
    const before = { exit: process.listenerCount('exit'), continued: process.listenerCount('SIGCONT') };
    const terminal = openTerminal(fakeStudio(), part);
    await terminal.shows('1 Overview');
    leave(terminal);
    expect((await terminal.ended).summary).toContain('No training was started.');
    await terminal.drawn();
    expect(terminal.state()).toEqual(GIVEN_BACK);
    expect(listeners(terminal)).toEqual({ ...before, resize: 0, signals: 0 });
  });

  it('is given back before the error of a component is told', async () => {
    const studio = fakeStudio();
    Object.defineProperty(studio.world.identity, 'mode', {
      get() {
        throw new Error('zebra broke');
      },
    });
    const terminal = openTerminal(studio);
    await expect(terminal.ended).rejects.toThrow('zebra broke');
    await terminal.drawn();
    expect(terminal.state()).toEqual(GIVEN_BACK);
    expect(terminal.text()).not.toContain('zebra');
  });

  it.each<[how: string, close: (terminal: OpenTerminal) => void]>([
    ['is told so', ({ signals }) => signals.get('SIGHUP')!()],
    ['cannot be read from', ({ stdin }) => void stdin.emit('error', new Error('EIO'))],
  ])('is written to no more when it was closed and the dashboard %s', async (_how, close) => {
    const terminal = openTerminal();
    await terminal.shows('cloud up');
    const before = terminal.written();
    close(terminal);
    expect(await terminal.ended).toEqual({ summary: null });
    expect(terminal.written()).toBe(before);
  });

  it('is quit with a question while a run is in progress, but not by a signal', async () => {
    const train = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };
    const terminal = openTerminal(fakeStudio({ train, jobs: [jobSummary({ status: 'running' })] }));
    await terminal.shows('cloud');
    terminal.press('q');
    await terminal.shows('Quit?');
    terminal.signals.get('SIGTERM')!();
    expect((await terminal.ended).summary).toContain('is still running');
  });
});

describe('the picture', () => {
  const USUAL = { columns: 80, rows: 24 };

  /** Once all is there that comes by itself. */
  async function open(size = USUAL, studio = fakeStudio()) {
    const terminal = openTerminal(studio, {}, size);
    await terminal.shows('q quit');
    await terminal.shows(size.columns < USUAL.columns ? 'anonymous' : 'cloud up');
    await terminal.shows('Run training: triage');
    return { ...terminal, before: terminal.lines() };
  }

  /** Of a terminal that had this size from the beginning. */
  const freshLines = async (size: typeof USUAL) => (await open(size)).before;

  it.each([
    ['smaller', { columns: 60, rows: 18 }],
    ['less high', { columns: 80, rows: 16 }],
    ['narrower', { columns: 44, rows: 24 }],
    ['larger', { columns: 120, rows: 40 }],
  ])('is the one of its size when the window gets %s, and back again', async (_how, size) => {
    const { resize, lines, before } = await open();
    resize(size);
    await until(lines).toEqual(await freshLines(size));
    resize(USUAL);
    await until(lines).toEqual(before);
  });

  it('is the last of many sizes', async () => {
    const { resize, lines } = await open();
    for (let columns = 79; columns >= 50; columns--) resize({ columns, rows: columns - 30 });
    await until(lines).toEqual(await freshLines({ columns: 50, rows: 20 }));
  });

  it('is drawn anew with Ctrl-L', async () => {
    const { write, shows, press, lines, before } = await open();
    write('\u001b[3;1Hzebra');
    await shows('zebra');
    press('\u000c');
    await until(lines).toEqual(before);
  });

  it('is there again after the process was stopped and something else has used the terminal', async () => {
    const terminal = await open();
    terminal.write('\u001b[?1049l\u001b[?25h\u001b[?1000lzebra');
    await terminal.shows('zebra');
    process.emit('SIGCONT');
    await until(terminal.lines).toEqual(terminal.before);
    expect(terminal.state()).toEqual(TAKEN);
    terminal.press('q');
    await terminal.ended;
    await terminal.drawn();
    expect(terminal.state()).toEqual(GIVEN_BACK);
    // What the other program wrote is still there.
    expect(terminal.text()).toContain('zebra');
  });

  it('stays whole when a text is copied through the terminal', async () => {
    const { shows, press, written } = await open(USUAL, fakeStudio({ jobs: [jobSummary()] }));
    press('2');
    await shows('completed');
    press('c');
    await until(written).toContain(`\u001b]52;c;${Buffer.from(JOB_ID).toString('base64')}\u0007`);
    await shows('Copied');
    await shows('1 Overview');
  });

  it('is not disturbed by what libraries say to the console, which goes to the log', async () => {
    const before = globalThis.console;
    const { press, ended, written, logFile } = await open();
    console.warn('a library complains');
    press('q');
    await ended;
    expect(globalThis.console).toBe(before);
    expect(written()).not.toContain('a library complains');
    await until(() => readFileSync(logFile, 'utf8')).toContain('a library complains');
  });
});

it('shows what it is told in a line, begins where it is told to, and hears that the cloud is there', async () => {
  let told: Parameters<NonNullable<RunDashboardOptions['onReady']>>[0] | undefined;
  const terminal = openTerminal(fakeStudio(), {
    start: { tab: 'jobs', id: null },
    onReady: dashboard => {
      told = dashboard;
    },
  });
  await terminal.shows('No jobs yet');
  told!.notify('The local cloud was started.');
  await terminal.shows('The local cloud was started.');
  told!.cloudAnswered();
  await terminal.shows('cloud up');
});
