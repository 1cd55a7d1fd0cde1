// The cloud's current problems. The store and the jobs report failures and recoveries; the engine and the server are polled.
import { ApiError, type CloudProblem } from '../contract/index.js';
import type { FileReader } from '../engine/index.js';
import type { CloudDeps, CloudLogLine } from './deps.js';
import type { Backend } from './seams/backend.js';

export interface Health {
  /** What storage prevents this part from doing; null once it works again. */
  report(who: string, message: string | null): void;
  problems(): CloudProblem[];
  /** Called after each change. */
  onChange(listener: () => void): void;
}

/** A problem for each engine state in which it does not respond. */
const ENGINE_PROBLEMS: Readonly<Record<string, string>> = {
  failed: 'The chat engine cannot start. See the log.',
  hung: 'The chat engine is not responding.',
};

const FULL = 'All connections are in use.';

export function createHealth(
  log: (line: CloudLogLine) => void,
  backend?: Pick<Backend, 'state'>,
  isFull: CloudDeps['isFull'] = () => false,
): Health {
  const reports = new Map<string, string>();
  const listeners: (() => void)[] = [];

  return {
    report(who, message) {
      if ((reports.get(who) ?? null) === message) return;
      const before = reports.size;
      if (message === null) reports.delete(who);
      else reports.set(who, message);
      if (message !== null && before === 0)
        log({ message: `${message} Work that needs storage is waiting.` });
      if (reports.size === 0) log({ message: 'Storage works again.' });
      for (const listener of listeners) listener();
    },
    problems() {
      const messages = [...new Set(reports.values())];
      const store = messages.map((message): CloudProblem => ({ part: 'store', message }));
      const engine = backend && ENGINE_PROBLEMS[backend.state];
      return [
        ...store,
        ...(engine ? [{ part: 'engine', message: engine } as const] : []),
        ...(isFull() ? [{ part: 'connections', message: FULL } as const] : []),
      ];
    },
    onChange: listener => void listeners.push(listener),
  };
}

/** Until the cloud has read its jobs and knows its address. */
export function cloudStarting(): ApiError {
  return new ApiError('engine_unavailable', 'The cloud is starting. Try again in a moment.', {
    headers: { 'retry-after': '1' },
  });
}

/** Callers rarely wait this long, unless many have long work at once. */
const HELD_UP_MS = 10_000;

/** A problem if callers have waited too long for files to be read. */
export function findFileProblem({ waiting, heldUpMs }: FileReader['load']): CloudProblem[] {
  if (heldUpMs < HELD_UP_MS) return [];
  const seconds = Math.floor(heldUpMs / 1000);
  return [
    { part: 'files', message: `Uploads and previews wait, the first for ${seconds} s (${waiting} in all).` },
  ];
}
