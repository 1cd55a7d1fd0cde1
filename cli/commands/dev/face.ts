// What a running Studio shows in the terminal that it was started in.
import type { TrainStatus } from '../../../lib/contract/index.js';
import type { LogLine } from '../../../lib/http/index.js';
import type { ServedStudio } from '../../../lib/studio/index.js';
import type { Io } from '../../command.js';
import { createPlainFace } from './plain-face.js';

export interface Face {
  /** A line about how things stand. */
  note(line: string): void;
  /** Studio is up: where it is, and who calls. */
  show(studio: Pick<ServedStudio, 'url' | 'token'>, caller: string): void;
  onTrain(status: TrainStatus): void;
  /** What Studio did not expect. */
  log(line: LogLine): void;
  /** Resolves when the user leaves by the face itself. */
  readonly left: Promise<void>;
  /** Shows nothing from here on: the terminal may be gone. */
  close(): void;
}

/** The dashboard is opened here, unless `isPlain`, when stdout is a terminal; until there is one, lines are all. */
export function openFace(_options: { isPlain: boolean }, io: Io): Face {
  return createPlainFace(io);
}
