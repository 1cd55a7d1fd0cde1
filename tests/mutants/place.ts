// Where a mutant is, told by the code around it: lines that come or go elsewhere in the file change neither its name nor
// whether it is drawn.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Mutant } from '@stryker-mutator/api/core';

type Changed = Pick<Mutant, 'fileName' | 'location' | 'mutatorName' | 'replacement'>;

export interface Place {
  /** The same for two mutants only where the code around them is the same. */
  key: string;
  /** For people. */
  text: string;
}

export type ReadLines = (fileName: string) => string[];

export function createReader(): ReadLines {
  const files = new Map<string, string[]>();
  return fileName => {
    const lines = files.get(fileName) ?? readFileSync(fileName, 'utf8').split('\n');
    files.set(fileName, lines);
    return lines;
  };
}

/** Its location counts from 0. */
export function placeOf({ fileName, location, mutatorName, replacement }: Changed, read: ReadLines): Place {
  const lines = read(fileName);
  const { start, end } = location;
  const line = lines[start.line] ?? '';
  const before = line.slice(start.column, end.line === start.line ? end.column : undefined);
  const path = relative(process.cwd(), fileName);
  const around = [start.line - 1, start.line, start.line + 1].map(at => lines[at]?.trim() ?? '');
  const now = (replacement ?? '').replace(/\s+/g, ' ');
  const facts = [path, mutatorName, before, now, ...around];
  const key = createHash('sha256').update(facts.join('\0')).digest('hex').slice(0, 10);
  return { key, text: `${path}:${start.line + 1} ${mutatorName}: ${cut(before)} → ${cut(now)}` };
}

/** The same mutants whenever it is asked. */
export function isDrawn({ key }: Place, share: number): boolean {
  return Number.parseInt(key.slice(0, 8), 16) < share * 2 ** 32;
}

function cut(text: string): string {
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
