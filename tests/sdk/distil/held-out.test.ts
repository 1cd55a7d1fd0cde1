// svc ship judges on the rows that a run held out, also if they are a teacher's answers. It asks no teacher for them.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { distil } from '../../../lib/sdk/distil/options.js';
import { readHeldOutRows } from '../../../lib/sdk/shipping/held-out-rows.js';
import { type FakeTeacher, openFakeTeacher } from '../../support/fake-teacher.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { distilIn } from './support.js';

let fake: FakeTeacher;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('svc-distil');
  fake = await openFakeTeacher();
});
afterEach(() => fake.close());

it('reads a share of the answers, or those of the evaluation, and says if some are missing', async () => {
  const prompts = Array.from({ length: 40 }, (_, index) => `prompt ${index}`);
  const dataset = distil({ teacher: { baseURL: fake.url, model: 'teacher' }, prompts });
  const place = { folder, home: folder, env: {}, clock: realClock };
  const job = { id: 'j', trainer: 'student', config: { evalFraction: 0.25 } } as never;
  const read = () => readHeldOutRows({ name: 'student', dataset, evalFraction: 0.25 }, job, place);
  await expect(read()).rejects.toThrow('0 of 40 prompts have an answer of teacher.');
  const { rows } = await distilIn(folder, fake, { prompts });
  const held = await read();
  expect(held.name).toBe('answers-of-teacher.jsonl');
  // Rows are held out by their content, so that it is only about a quarter.
  expect(held.rows.length).toBeGreaterThan(0);
  expect(held.rows.length).toBeLessThan(20);
  for (const row of held.rows) expect(rows).toContainEqual(row);

  const evaluated = { id: 'j', trainer: 'student', config: { evalDatasetSource: {} } } as never;
  const other = { type: 'rows' as const, rows: [] };
  const options = { name: 'student', dataset: other, evalDataset: dataset };
  expect((await readHeldOutRows(options, evaluated, place)).rows).toEqual(rows);
  expect(fake.requests).toHaveLength(40);
});
