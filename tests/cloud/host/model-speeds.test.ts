// How fast a model was here, in a file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openModelSpeeds, readModelSpeed } from '../../../lib/cloud/host/model-speeds.js';
import type { AttemptDesk, JobRunner } from '../../../lib/cloud/seams/runner.js';
import type { RunDocument } from '../../../lib/contract/index.js';
import type { EngineEvent } from '../../../lib/engine/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('svc-speeds');
});

const file = () => join(folder, 'speeds.json');
const read = () => readModelSpeed(folder, 'a');

it('is kept by model, rounded, and replaced by what is faster', async () => {
  const speeds = openModelSpeeds(folder, 'a');
  expect(await speeds.read()).toBeNull();
  speeds.note('training', 123.456);
  speeds.note('answering', 98.76);
  await until(read).toEqual({ training: 123, answering: 98.8 });
  speeds.note('answering', Number.NaN);
  speeds.note('training', 50);
  speeds.note('answering', 200);
  await until(read).toEqual({ training: 123, answering: 200 });
  expect(await readModelSpeed(folder, 'b')).toBeNull();
  expect(readFileSync(file(), 'utf8')).toMatch(/^\{"[0-9a-f]{32}":\{"training":123,"answering":200\}\}\n$/);
});

it('is not written again for a small gain', async () => {
  const speeds = openModelSpeeds(folder, 'a');
  speeds.note('training', 100);
  await until(read).toMatchObject({ training: 100 });
  writeFileSync(file(), '{}');
  speeds.note('training', 105);
  speeds.note('answering', 10);
  await until(read).toEqual({ training: 100, answering: 10 });
});

it('is kept of a hundred models, and a damaged file counts as none', async () => {
  const entry = { training: 1, answering: null };
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`model-${i}`, entry]));
  writeFileSync(file(), JSON.stringify(many));
  openModelSpeeds(folder, 'a').note('training', 2);
  await until(read).toMatchObject({ training: 2 });
  const keys = Object.keys(JSON.parse(readFileSync(file(), 'utf8')));
  expect([keys.length, keys[0]]).toEqual([100, 'model-51']);
  for (const damaged of ['{', '[]', '{"a":{"training":"fast"}}']) {
    writeFileSync(file(), damaged);
    expect(await read()).toBeNull();
  }
});

it('of a run is the median of its steps, once it is completed', async () => {
  const recorded: string[] = [];
  const desk = { record: (event: EngineEvent) => void recorded.push(event.type) } as AttemptDesk;
  const report = (...events: object[]) => {
    const start = (_: RunDocument, { record }: AttemptDesk) => {
      for (const event of events) void record(event as EngineEvent);
      return { ended: Promise.resolve() };
    };
    const watched = openModelSpeeds(folder, 'a').watch({ start } as unknown as JobRunner);
    watched.start({} as RunDocument, desk);
    return watched.close!();
  };
  const step = (tokensPerSecond?: number) => ({ type: 'training.log', tokensPerSecond });
  await report(step(10), step(30), { type: 'training.failed' });
  await report(step(), { type: 'training.completed' });
  expect(await read()).toBeNull();
  await report(step(500), step(200), step(), step(100), { type: 'training.completed' });
  expect(await read()).toEqual({ training: 200, answering: null });
  expect(recorded).toHaveLength(10);
});
