// The dashboard on a terminal of its own: what is sent to it can be read as a person would see it.
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { type RunDashboardOptions, runDashboard } from '../../../cli/dashboard/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { createEmulator, type Size } from '../../terminal/support/emulator.js';
import { toBytes } from '../../terminal/support/keys.js';
import { fakeStudio } from './fake-studio.js';

type Options = Partial<Omit<RunDashboardOptions, 'client' | 'openEventSource'>>;

export type OpenTerminal = ReturnType<typeof openTerminal>;

export function openTerminal(
  studio = fakeStudio(),
  part: Options = {},
  size: Size = { columns: 80, rows: 24 },
) {
  const emulator = createEmulator(size);
  const modes: boolean[] = [];
  const signals = new Map<string, () => void>();
  const logFile = join(temporaryFolder('svc-dashboard'), 'log');
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
    ref() {},
    unref() {},
  });
  const stdout = Object.assign(new PassThrough(), { ...size, isTTY: true });
  stdout.setEncoding('utf8').on('data', emulator.write);
  const ended = runDashboard({
    client: studio.client,
    openEventSource: studio.openEventSource,
    studioUrl: 'http://localhost:4000',
    io: {
      stdin,
      stdout,
      env: {},
      onSignal(signal, react) {
        signals.set(signal, react);
        return () => void signals.delete(signal);
      },
    },
    logFile,
    ...part,
  });
  ended.catch(() => {});
  onTestFinished(async () => {
    stdin.end();
    await ended.catch(() => {});
  });
  return {
    ...emulator,
    studio,
    ended,
    modes,
    signals,
    logFile,
    stdin,
    stdout,
    written: () => emulator.written,
    /** What the program has changed of the terminal. */
    state: () => ({
      isTaken: emulator.isTaken,
      isCursorShown: emulator.isCursorShown,
      isMouseRead: emulator.isMouseRead,
      isRaw: modes.at(-1),
    }),
    press: (...keys: string[]) => keys.forEach(key => void stdin.write(toBytes(key))),
    shows: (wanted: string | RegExp) => until(emulator.text).toMatch(wanted),
    hides: (unwanted: string) => until(emulator.text).not.toContain(unwanted),
    resize(next: Size) {
      emulator.resize(next);
      Object.assign(stdout, next);
      stdout.emit('resize');
    },
  };
}
