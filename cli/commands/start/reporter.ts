// Shows what happens in a run: as JSON lines here, as text in text-reporter.ts.
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import {
  type EvalHooks,
  evalFailure,
  type MapProgress,
  type TrainerResult,
  type UploadProgress,
} from '../../../lib/sdk/index.js';
import type { Io, Output } from '../../command.js';
import { printJson, printLine } from '../../print.js';
import { createAbsence } from '../training/absence.js';
import { createMapTeller, createUploadTeller } from './upload-text.js';

export interface Reporter extends EvalHooks {
  /** Shows one line about the current state. */
  note(line: string): void;
  /** The trainer's `map` is run on the rows of a data set. */
  onMap(progress: MapProgress): void;
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

export function createJsonReporter({ stdout, stderr, env }: Io): Reporter {
  const note = (line: string) => printLine(stderr, line, env);
  const { onInterrupted, onCloudStopped, end } = createAbsence(note);
  return {
    note,
    onMap: createMapTeller(note),
    onUpload: createUploadTeller(note),
    onQueued: ({ id }) => note(`Queued job ${id}.`),
    onEvent(event) {
      end();
      printJson(stdout, event);
    },
    onEval: () => {},
    onEvalFailed: failure => note(`! ${evalFailure(failure)}`),
    onInterrupted,
    onCloudStopped,
    onEnd: () => {},
    clear: () => {},
    hold: () => {},
    release: () => {},
    output: stderr,
  };
}
