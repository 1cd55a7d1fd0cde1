// The dashboard in a command's terminal. Notes go to the terminal until the dashboard is up, then to its bottom line, and
// always to its log. On exit, a summary line stays on the normal screen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, toNotWritable } from '../../../lib/sdk/index.js';
import { findSvc } from '../../../lib/system/index.js';
import { exitCode, type Io } from '../../command.js';
import { type RunCommand, runDashboard } from '../../dashboard/index.js';
import { inOwnName, printLine } from '../../print.js';
import { COLUMNS_VARIABLE, SHELL_VARIABLE } from '../../screen.js';
import { appendRows, writeNewRows } from '../files/row-files.js';
import { openBrowser } from '../terminal/open-browser.js';
import { describeFailure, type Face, type Terminal } from './face.js';

interface ScreenOptions {
  /** The command's name, which also names its log. */
  name: string;
  logFolder: string;
  /** Where commands typed in the dashboard run. */
  folder: string;
  io: Io;
  terminal: Terminal;
  /** Tells the terminal when a run ends. */
  rings: boolean;
  /** Reads the wheel and clicks. */
  hasMouse: boolean;
  /** Allows typing svc commands in the dashboard. */
  hasShell: boolean;
}

export function createDashboardFace({
  name,
  logFolder,
  folder,
  io,
  terminal,
  rings,
  hasMouse,
  hasShell,
}: ScreenOptions): Face {
  const logFile = openLogFile(logFolder, name);
  const closing = new AbortController();
  let tell = (line: string): void => printLine(io.stdout, line, io.env);
  let isCloudThere = false;
  let tellCloud = (): void => {
    isCloudThere = true;
  };
  let isOpen = false;
  let follow = (_ended: Promise<void>) => {};
  const left = new Promise<void>(resolve => {
    follow = resolve;
  });
  const isOver = left.catch(() => {});

  async function run(studio: Parameters<Face['show']>[0], onReady: () => void): Promise<void> {
    const { url, client, openEventSource, start } = studio;
    const waiting: string[] = [];
    tell = line => void waiting.push(line);
    const { summary } = await runDashboard({
      client,
      openEventSource,
      studioUrl: url,
      start,
      io: { ...terminal, env: io.env, onSignal: io.onSignal, onOutputClosed: io.onOutputClosed },
      logFile: logFile.path,
      rings,
      hasMouse,
      ...(hasShell && { runCommand: createRunCommand(folder, io.env) }),
      openBrowser: url => openBrowser(url, io.env),
      saveRows: (file, rows, how) => {
        const saved =
          how === 'new' ? writeNewRows(folder, file, new Blob([rows])) : appendRows(folder, file, rows);
        return saved.then(
          () => null,
          (error: Error) => error.message,
        );
      },
      signal: closing.signal,
      onReady({ notify, cloudAnswered }) {
        tell = notify;
        for (const line of waiting) notify(line);
        tellCloud = cloudAnswered;
        if (isCloudThere) cloudAnswered();
        onReady();
      },
    });
    if (summary === null) return;
    const stay = (line: string) => printLine(io.stdout, line, io.env);
    stay(summary);
    const { cloudKeepsRunning } = await import('./session.js');
    const rest = await cloudKeepsRunning(folder, io.env);
    if (rest !== null) stay(rest);
  }

  return {
    left,
    note(line) {
      logFile.append(line);
      if (!closing.signal.aborted) tell(inOwnName(line, io.env));
    },
    cloudAnswered() {
      if (!closing.signal.aborted) tellCloud();
    },
    log: line => logFile.append(describeFailure(line, true)),
    // The dashboard polls the run's status itself.
    onTrain() {},
    show(studio) {
      isOpen = true;
      return new Promise(resolve => follow(run(studio, resolve).finally(resolve)));
    },
    async close() {
      closing.abort();
      if (isOpen) await isOver;
    },
  };
}

const LIMIT_BYTES = 1024 ** 2;

/**
 * A log for messages that cannot be printed over the dashboard. It also keeps earlier launches; a long log is
 * rotated, replacing the previously rotated one. @internal
 */
export function openLogFile(folder: string, name: string) {
  const path = join(folder, `${name}.log`);
  const write = (text: string) => appendFileSync(path, `${new Date().toISOString()} ${text}\n`);
  makeFolder(folder);
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT_BYTES)
      renameSync(path, join(folder, `${name}.1.log`));
    write(`svc ${name} started (process ${process.pid}).`);
  } catch (error) {
    throw toNotWritable(error, path);
  }
  /** After the launch a lost line is better than a failure. A project that was moved away is not made again for it. */
  function append(text: string): void {
    try {
      makeFolder(folder, { within: dirname(dirname(folder)) });
      write(text);
    } catch {
      return;
    }
  }
  return { path, append };
}

/** Runs an svc command line in a separate process without a shell and without stdin. */
function createRunCommand(folder: string, env: Io['env']): RunCommand {
  return async (args, { write, signal, columns }) => {
    const child = spawn(process.execPath, [...findSvc(), ...args], {
      cwd: folder,
      env: { ...env, [COLUMNS_VARIABLE]: String(columns), [SHELL_VARIABLE]: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stop = () => void child.kill();
    signal.addEventListener('abort', stop, { once: true });
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', write);
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      return code ?? exitCode.interrupted;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
