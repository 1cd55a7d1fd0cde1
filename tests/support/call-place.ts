// Where a helper was called, and the source there.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryRoot } from './repository-root.js';

const LONGEST_SOURCE = 8;

/** `tests/cloud/jobs/queue.test.ts:54`, and what is written there. */
export interface CallPlace {
  place: string;
  source: string;
  /** The stack from there. */
  frames: string;
}

/** Of an error that was made where the call was: in the test, or else in the first file that is not passed over. */
export function findCallPlace({ stack = '' }: Error, passedOver: readonly string[]): CallPlace {
  const lines = stack.split('\n').filter(line => {
    const frame = toFrame(line);
    return frame !== null && !passedOver.includes(frame.path);
  });
  const line = lines.find(text => /\.test\.tsx?:/.test(text)) ?? lines[0];
  if (!line) return { place: 'an unknown place', source: '', frames: '' };
  const frame = toFrame(line)!;
  const place = `${relative(repositoryRoot, frame.path)}:${frame.line}`;
  return { place, source: readSource(frame), frames: lines.join('\n') };
}

export const indent = (text: string) => text.replace(/^/gm, '  ');

interface Frame {
  path: string;
  line: number;
}

function toFrame(text: string): Frame | null {
  const found = /((?:file:\/\/)?\/[^\s()]+):(\d+):\d+\)?$/.exec(text);
  if (!found || found[1]!.includes('/node_modules/')) return null;
  const path = found[1]!.startsWith('file://') ? fileURLToPath(found[1]!) : found[1]!;
  return { path, line: Number(found[2]) };
}

/** From its line to the end of the statement, as if it had no indentation. */
function readSource({ path, line }: Frame): string {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8')
      .split('\n')
      .slice(line - 1, line - 1 + LONGEST_SOURCE);
  } catch {
    return '';
  }
  const end = lines.findIndex(text => /[;,]$/.test(text) && isBalanced(lines, text));
  const indent = /^\s*/.exec(lines[0] ?? '')![0].length;
  return lines
    .slice(0, end < 0 ? 1 : end + 1)
    .map(text => text.slice(Math.min(indent, text.search(/\S|$/))))
    .join('\n');
}

function isBalanced(lines: readonly string[], last: string): boolean {
  const text = lines.slice(0, lines.indexOf(last) + 1).join('\n');
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  return count(/[([{]/g) <= count(/[)\]}]/g);
}
