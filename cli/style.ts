// Colors for terminals that want them (NO_COLOR, TERM=dumb); elsewhere every function returns its text unchanged.
// Also what the command line prints of untrusted text.
import { inspect, styleText } from 'node:util';
import { toSafeText as withoutControls } from '../lib/console/safe-text.js';
import type { Io, Output } from './io.js';

export type Style = ReturnType<typeof createStyle>;

export function createStyle(output: Output, env: Io['env']) {
  const isColored = output.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const paint = (format: Color) => (text: string) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    blue: paint('blue'),
    cyan: paint('cyan'),
    /** Learned tokens and truncated ones; in brackets if there are no colors. */
    learned: (text: string) => (isColored ? markLines(text, ['green', 'underline']) : `[+${text}+]`),
    cut: (text: string) => (isColored ? markLines(text, ['dim', 'strikethrough']) : `[-${text}-]`),
  };
}

/** Marks each line separately, so that the style does not extend into the margin. */
function markLines(text: string, format: Parameters<typeof styleText>[0]): string {
  const paint = (line: string) => (line === '' ? '' : styleText(format, line, { validateStream: false }));
  return text.split('\n').map(paint).join('\n');
}

type Color = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

export { toSafeJson, toSafeLine } from '../lib/console/safe-text.js';

/** The sequences that `createStyle` writes; any others are removed. */
const OWN_COLORS = new RegExp(
  `(\u001b\\[(?:${['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'cyan', 'underline', 'strikethrough']
    .flatMap(name => inspect.colors[name]!)
    .join('|')})m)`,
);

/** Makes colored text safe to print, keeping only svc's own colors. */
export function withOwnColors(text: string): string {
  const parts = text.split(OWN_COLORS);
  return parts.map((part, i) => (i % 2 === 1 ? part : toSafeText(part))).join('');
}

/** Makes untrusted text safe to print. Keeps tabs, since programs may read them. */
export function toSafeText(text: string): string {
  return withoutControls(text, '\t');
}

/** Messages of svc end with a period, those of Node.js and others do not. */
export const endSentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);
