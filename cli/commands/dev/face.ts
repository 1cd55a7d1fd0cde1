// What a running Studio shows in its terminal.
import type { TrainStatus } from '../../../lib/contract/index.js';
import type { LogLine } from '../../../lib/http/index.js';
import type { ServedStudio } from '../../../lib/studio/index.js';

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
