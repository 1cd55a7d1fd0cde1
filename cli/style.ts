// Colour for people: only on a terminal that wants it (NO_COLOR, TERM=dumb), else every function returns its text.
// And what others wrote, without what could steer a terminal.
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Io, Output } from './command.js';

export type Style = ReturnType<typeof createStyle>;

export function createStyle(output: Output, env: Io['env']) {
  const isColoured = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (format: Colour) => (text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    blue: paint('blue'),
    cyan: paint('cyan'),
  };
}

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

/** Control characters, and those that turn the direction of writing. Tabs and line feeds are let through. */
const STEERING = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Text of others, its lines kept. */
export function toSafeText(text: string): string {
  return stripVTControlCharacters(text).replace(STEERING, '');
}

/** Text of others in one line. */
export function toSafeLine(text: string): string {
  return toSafeText(text.replace(/[\t\r\n\p{Zl}\p{Zp}]+/gu, ' '));
}
