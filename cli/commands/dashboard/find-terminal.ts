// Whether the dashboard can have this terminal: one that is read from and written to by somebody, and can be drawn on.

import type { Io } from '../../command.js';
import type { TerminalInput, TerminalOutput } from '../../dashboard/index.js';
import { canAsk } from '../terminal/screen.js';

export interface Terminal {
  stdin: TerminalInput;
  stdout: TerminalOutput;
}

/** Null where lines are all that can be shown. */
export function findTerminal(io: Io): Terminal | null {
  const { stdin, stdout, env } = io;
  if (!canAsk(io) || env.TERM === 'dumb') return null;
  return canDraw(stdout) ? { stdin: stdin as TerminalInput, stdout } : null;
}

/** What is a terminal and tells when its size changes. */
function canDraw(stdout: Io['stdout']): stdout is TerminalOutput {
  return 'on' in stdout && 'off' in stdout;
}
