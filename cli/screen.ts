// What an output supports: its width, its colors, whether lines can be redrawn, whether someone can answer.
import { Writable } from 'node:stream';
import type { Io, Output } from './io.js';
import { createStyle, type Style } from './style.js';

export interface Screen {
  /** In columns; infinite if a program reads the output and no width is set. */
  readonly width: number;
  /** Whether a person reads it. */
  readonly isTerminal: boolean;
  /** Whether the last line may be redrawn; not on CI, where logs keep every line. */
  readonly isLive: boolean;
  readonly style: Style;
}

const USUAL_WIDTH = 80;
/** Sets the output width for a program that shows svc's output without being a terminal. */
export const COLUMNS_VARIABLE = 'SVC_COLUMNS';
/** Set by the dashboard for what is typed in it: by a person, who cannot be asked there. */
export const SHELL_VARIABLE = 'SVC_SHELL';

/** Reads the width each time, since a window can be resized. */
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

/** Whether someone is there to answer a question. */
export function canAsk({ stdin, stdout, env }: Io): boolean {
  return stdin?.isTTY === true && stdout.isTTY === true && !env.CI;
}

/**
 * Wraps an `Output` as a Node stream, for code that needs one. Like a process's own, it stays open when what is piped into it
 * ends, such as the output of vitest's workers, which may be before vitest reports.
 */
export function toWritable(output: Output, isMuted: () => boolean = () => false): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      if (!isMuted()) output.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { get: () => output.isTTY },
    columns: { get: () => output.columns },
    end: { value: () => stream },
  });
}
