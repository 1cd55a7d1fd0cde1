// Answers of a running evaluation, in a file of the project, so that an interrupted one can resume.
import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../clock/index.js';
import type { RowAnswer } from '../../evaluation/index.js';
import { makeFolder } from '../files/files.js';
import { statePath } from '../session/project.js';

/** Older answers may be of a model that has changed since. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

interface StoredAnswer extends RowAnswer {
  row: number;
}

export interface AnswerFile {
  /** By the row's number. */
  readonly known: ReadonlyMap<number, RowAnswer>;
  add(row: number, answer: RowAnswer): Promise<void>;
  remove(): Promise<void>;
}

/** `asked`: all that decides the answers. */
export async function openAnswerFile(folder: string, asked: unknown, clock: Clock): Promise<AnswerFile> {
  const key = createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 32);
  const path = join(dirname(statePath(folder)), 'evaluations', `${key}.jsonl`);
  const known = await readAnswers(path, clock);
  makeFolder(dirname(path));
  let writing: Promise<void> = Promise.resolve();
  return {
    known,
    add(row, answer) {
      const line = `${JSON.stringify({ row, ...answer })}\n`;
      writing = writing.then(() => appendFile(path, line, { mode: 0o600 }));
      return writing;
    },
    async remove() {
      await writing;
      await rm(path, { force: true });
    },
  };
}

/** A line that a killed process left incomplete is ignored. */
async function readAnswers(path: string, clock: Clock): Promise<Map<number, RowAnswer>> {
  const found = await stat(path).catch(() => null);
  if (!found) return new Map();
  if (clock.now() - found.mtimeMs > LONGEST_MS) {
    await rm(path, { force: true });
    return new Map();
  }
  const lines = (await readFile(path, 'utf8')).split('\n');
  return new Map(
    lines.flatMap(line => {
      try {
        const { row, ...answer } = JSON.parse(line) as StoredAnswer;
        return [[row, answer] as const];
      } catch {
        return [];
      }
    }),
  );
}
