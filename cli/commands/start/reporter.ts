// Shows what happens in a run: as JSON lines here, as text in text-reporter.ts.
import { plural } from '../../../lib/console/index.js';
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import type { MappedRows, TrainerResult, UploadProgress } from '../../../lib/sdk/index.js';
import type { Io, Output } from '../../command.js';
import { inOwnName } from '../../own-name.js';
import { toSafeText } from '../../style.js';
import { createAbsence } from '../training/absence.js';
import { createUploadTeller } from './upload-text.js';

export interface Reporter {
  /** Shows one line about the current state. */
  note(line: string): void;
  /** The trainer's `map` has been run on all rows. */
  onMapped(mapped: MappedRows): void;
  /** A large data set is on its way. */
  onUpload(progress: UploadProgress): void;
  onQueued(job: Job): void;
  onEvent(event: JobEvent): void;
  onInterrupted(error: Error): void;
  onCloudStopped(): void;
  onEnd(result: TrainerResult): void;
  /** Removes the progress line. */
  clear(): void;
  /** Leaves the terminal to something else until `release`. */
  hold(): void;
  release(): void;
  /** Where the logs of the project's code go. */
  readonly output: Output;
}

export function noteDropped({ name, rows, dropped }: MappedRows, note: (line: string) => void): void {
  if (dropped > 0) note(`\`map\` left out ${dropped} of ${plural(rows, 'row')} of ${name}.`);
}

export function createJsonReporter({ stdout, stderr, env }: Io): Reporter {
  const note = (line: string) => void stderr.write(`${inOwnName(toSafeText(line), env)}\n`);
  const { onInterrupted, onCloudStopped, end } = createAbsence(note);
  return {
    note,
    onMapped: mapped => noteDropped(mapped, note),
    onUpload: createUploadTeller(note),
    onQueued: ({ id }) => note(`Queued job ${id}.`),
    onEvent(event) {
      end();
      stdout.write(`${JSON.stringify(event)}\n`);
    },
    onInterrupted,
    onCloudStopped,
    onEnd: () => {},
    clear: () => {},
    hold: () => {},
    release: () => {},
    output: stderr,
  };
}
