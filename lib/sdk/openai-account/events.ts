// A job's events and checkpoints, kept page by page: a killed process continues after the last page that it wrote.
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { syncFolder } from '../../system/index.js';
import { makeFolder } from '../files/files.js';
import { appendLines, readWholeLines } from '../files/lines.js';
import type { OpenAiAccount } from './account.js';
import { type AccountEvent, accountCheckpoint, accountEvent } from './shapes.js';
import type { AccountStore } from './store.js';

interface ListContext {
  account: OpenAiAccount;
  store: AccountStore;
  onEvents?(count: number): void;
}

/** As the API sends them: the newest first. Later calls read the file. */
export async function keepList(
  { account, store, onEvents = () => {} }: ListContext,
  jobId: string,
  what: 'events' | 'checkpoints',
): Promise<unknown[]> {
  const path = store.jobPath(jobId, `${what}.jsonl`);
  const known = await store.read(jobId, `${what}.jsonl`);
  if (known !== null) return toValues(known.split('\n').filter(Boolean));
  makeFolder(dirname(path));
  const part = `${path}.part`;
  const lines = await readWholeLines(part);
  const last = toValues(lines).at(-1) as { id?: string } | undefined;
  for await (const items of account.listOf(jobId, what, last?.id)) {
    const added = items.map(item => JSON.stringify(item));
    await appendLines(part, added);
    lines.push(...added);
    onEvents(lines.length);
  }
  await appendLines(part, []);
  await rename(part, path);
  await syncFolder(dirname(path));
  return toValues(lines);
}

function toValues(lines: readonly string[]): unknown[] {
  return lines.flatMap(line => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}

/** In the order in which they happened. Anything that is not an event is left out, but stays in the file. */
export function readEvents(items: readonly unknown[]): AccountEvent[] {
  return items.flatMap(item => parse(accountEvent, item)).reverse();
}

/** What was measured at each checkpoint. */
export function readCheckpoints(items: readonly unknown[]): Record<string, number>[] {
  return items
    .flatMap(item => parse(accountCheckpoint, item))
    .map(({ step_number, metrics }) => {
      const numbers = Object.entries(metrics ?? {}).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
      );
      return { ...Object.fromEntries(numbers), ...(step_number !== null && { step: step_number }) };
    });
}

function parse<S extends typeof accountEvent | typeof accountCheckpoint>(
  schema: S,
  item: unknown,
): z.output<S>[] {
  const result = z.safeParse(schema, item);
  return result.success ? [result.data as z.output<S>] : [];
}
