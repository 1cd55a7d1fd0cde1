// What an output can show: how wide it is, in which colours, whether lines can be drawn over, whether somebody answers.
import type { Io, Output } from '../../command.js';
import { createStyle, type Style } from '../../style.js';

export interface Screen {
  /** Columns; without end where a program reads, unless it tells how many it has. */
  readonly width: number;
  /** Whether people look at it. */
  readonly isTerminal: boolean;
  /** Whether a line may be drawn over the last one: a log of CI is kept, and shows them all. */
  readonly isLive: boolean;
  readonly style: Style;
}

const USUAL_WIDTH = 80;
/** How wide what is printed may be, for whoever shows it to people without being a terminal. */
export const COLUMNS_VARIABLE = 'SVC_COLUMNS';

/** Looks again at each question: a window may be made narrower. */
export function createScreen(output: Output, env: Io['env']): Screen {
  const isTerminal = output.isTTY === true;
  return {
    get width() {
      if (isTerminal) return output.columns || USUAL_WIDTH;
      return Number(env[COLUMNS_VARIABLE]) || Number.POSITIVE_INFINITY;
    },
    isTerminal,
    isLive: isTerminal && !env.CI && env.TERM !== 'dumb',
    style: createStyle(output, env),
  };
}

/** Whether a question can be asked and will be answered by somebody. */
export function canAsk({ stdin, stdout, env }: Io): boolean {
  return stdin?.isTTY === true && stdout.isTTY === true && !env.CI;
}
