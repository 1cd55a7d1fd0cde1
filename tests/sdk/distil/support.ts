// A folder in which rows are distilled from a fake teacher.
import { readFile } from 'node:fs/promises';
import { realClock } from '../../../lib/clock/index.js';
import { withDistilledRows } from '../../../lib/sdk/distil/distil-rows.js';
import { type DistilOptions, distil } from '../../../lib/sdk/distil/options.js';
import type { DistilProgress } from '../../../lib/sdk/distil/progress.js';
import type { DistilContext } from '../../../lib/sdk/distil/work.js';
import type { FakeTeacher } from '../../support/fake-teacher.js';

export type Given = Partial<Omit<DistilOptions, 'teacher'>> & { teacher?: Partial<DistilOptions['teacher']> };

/** The rows, their bytes, and what was reported. */
export async function distilIn(
  folder: string,
  fake: FakeTeacher,
  { teacher, prompts = ['one', 'two', 'three'], ...options }: Given = {},
  context: Partial<DistilContext> = {},
) {
  const seen: DistilProgress[] = [];
  const data = distil({
    teacher: { baseURL: fake.url, model: 'teacher', ...teacher },
    prompts,
    ...options,
  });
  const own = { folder, env: {}, clock: realClock, onDistil: (one: DistilProgress) => seen.push(one) };
  const text = await withDistilledRows(data, { ...own, ...context }, path => readFile(path, 'utf8'));
  const rows = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { messages: { role: string; content: string }[]; tools?: unknown });
  return {
    text,
    rows,
    answers: rows.map(({ messages }) => messages.at(-1)!.content),
    last: seen.at(-1)!,
    seen,
  };
}
