// Decides whether the dashboard can use this terminal: it must be interactive and able to be drawn on.

import type { Io } from '../../command.js';
import type { TerminalInput, TerminalOutput } from '../../dashboard/index.js';
import { canAsk } from '../terminal/screen.js';

export interface Terminal {
  stdin: TerminalInput;
  stdout: TerminalOutput;
}

/** Null where only plain lines can be shown. */
export function findTerminal(io: Io): Terminal | null {
  const { stdin, stdout, env } = io;
  if (!canAsk(io) || env.TERM === 'dumb') return null;
  return canDraw(stdout) ? { stdin: stdin as TerminalInput, stdout } : null;
}

/** A terminal that reports changes to its size. */
function canDraw(stdout: Io['stdout']): stdout is TerminalOutput {
  return 'on' in stdout && 'off' in stdout;
}
