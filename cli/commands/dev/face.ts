// What a running Studio shows in the terminal that it was started in.
import type { TrainStatus } from '../../../lib/contract/index.js';
import type { LogLine } from '../../../lib/http/index.js';
import type { ServedStudio } from '../../../lib/studio/index.js';
import type { Io } from '../../command.js';
import { findTerminal } from '../dashboard/find-terminal.js';
import { createDashboardFace } from './dashboard-face.js';
import type { DevOptions } from './options.js';
import { createPlainFace } from './plain-face.js';

export interface Face {
  /** A line about how things stand. */
  note(line: string): void;
  /** The cloud is there. */
  cloudAnswered(): void;
  /** Studio is up: where it is, and who calls. */
  show(studio: Pick<ServedStudio, 'url' | 'token'>, caller: string): void;
  onTrain(status: TrainStatus): void;
  /** What Studio did not expect. */
  log(line: LogLine): void;
  /** Resolves when the user leaves by the face itself; rejects when it broke. */
  readonly left: Promise<void>;
  /** Shows nothing from here on: the terminal may be gone. Resolves when it is as it was before. */
  close(): Promise<void>;
}

/** The dashboard where there is a terminal for it, unless lines are wanted. */
export function openFace({ isPlain, folder }: Pick<DevOptions, 'isPlain' | 'folder'>, io: Io): Face {
  const terminal = isPlain ? null : findTerminal(io);
  return terminal ? createDashboardFace({ folder, io, terminal }) : createPlainFace(io, folder);
}
