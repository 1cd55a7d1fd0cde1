// Chooses what a running Studio shows in its terminal.
import type { Io } from '../../command.js';
import { findTerminal } from '../dashboard/find-terminal.js';
import { createDashboardFace } from './dashboard-face.js';
import type { Face } from './face.js';
import type { DevOptions } from './options.js';
import { createPlainFace } from './plain-face.js';

/** The dashboard if the terminal supports it, unless plain lines are wanted. */
export function openFace({ isPlain, folder }: Pick<DevOptions, 'isPlain' | 'folder'>, io: Io): Face {
  const terminal = isPlain ? null : findTerminal(io);
  return terminal ? createDashboardFace({ folder, io, terminal }) : createPlainFace(io, folder);
}
