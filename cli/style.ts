// Colors for terminals that want them (NO_COLOR, TERM=dumb); elsewhere every function returns its text unchanged.
// Also strips what could control a terminal from untrusted text.
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

/** Control characters and bidirectional overrides. Tabs and line feeds are allowed. */
const STEERING = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Makes untrusted text safe to print, keeping its lines. */
export function toSafeText(text: string): string {
  return stripVTControlCharacters(text).replace(STEERING, '');
}

/** Makes untrusted text safe to print, on one line. */
export function toSafeLine(text: string): string {
  return toSafeText(text.replace(/[\t\r\n\p{Zl}\p{Zp}]+/gu, ' '));
}
