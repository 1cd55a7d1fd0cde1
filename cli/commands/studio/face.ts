// What a running Studio shows in its terminal.
import type { TrainStatus } from '../../../lib/contract/index.js';
import type { LogLine } from '../../../lib/http/index.js';
import { findEntry } from '../../../lib/sdk/index.js';
import type { ServedStudio } from '../../../lib/studio/index.js';
import type { Io } from '../../command.js';
import { printLine } from '../../print.js';

export interface Face {
  /** Shows one line about the current state. */
  note(line: string): void;
  /** The cloud has responded. */
  cloudAnswered(): void;
  /** Studio is up: shows its URL and the identity. */
  show(studio: Pick<ServedStudio, 'url' | 'token'>, caller: string): void;
  onTrain(status: TrainStatus): void;
  /** An unexpected failure in Studio. */
  log(line: LogLine): void;
  /** Resolves when the user quits from the face itself; rejects when it fails. */
  readonly left: Promise<void>;
  /** Stops all output, since the terminal may be gone. Resolves when the terminal is restored. */
  close(): Promise<void>;
}

/**
 * Plain lines, for a log or a terminal without the dashboard: its URL, the identity, and runs as they start and end.
 * Requests are not shown.
 */
export function createPlainFace({ stdout, stderr, env }: Io, folder: string): Face {
  let isClosed = false;
  const note = (line: string) => {
    if (!isClosed) printLine(stdout, line, env);
  };
  return {
    note,
    cloudAnswered() {},
    show({ url }, caller) {
      note(`Studio is running at ${url}`);
      note(caller);
      // The plain face never requests the manifest, which would report this.
      void findEntry(folder).catch(({ message }: Error) => note(`! ${message}`));
    },
    onTrain: status => note(describeTrain(status)),
    log(line) {
      if (!isClosed) printLine(stderr, describeFailure(line, env.SVC_DEBUG !== undefined), env);
    },
    left: new Promise(() => {}),
    async close() {
      isClosed = true;
    },
  };
}

function describeTrain({ running, jobId, exitCode }: TrainStatus): string {
  if (running) return 'Training started.';
  const job = jobId === null ? '' : `, job ${jobId}`;
  return exitCode === 0 ? `Training finished${job}.` : `Training exited with code ${exitCode}${job}.`;
}

/** An unexpected failure in Studio, for debugging. */
export function describeFailure({ method, path, requestId, error }: LogLine, isLong: boolean): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return `! ${method} ${path} failed (request ${requestId}): ${isLong ? (stack ?? message) : message}`;
}
