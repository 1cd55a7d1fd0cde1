// Colour for people: only on a terminal that wants it (NO_COLOR, TERM=dumb), else every function returns its text.
import { styleText } from 'node:util';
import type { Io, Output } from './command.js';

export type Style = ReturnType<typeof createStyle>;

export function createStyle(output: Output, env: Io['env']) {
  const isColoured = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow') => (text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
  };
}
