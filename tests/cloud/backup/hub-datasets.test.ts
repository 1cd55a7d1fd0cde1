// A backup of a cloud whose runs read data sets on the Hub, which may have changed by the time it is restored.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDataset } from '../../../lib/engine/train/data/index.js';
import { callCli } from '../../cli/support/terminal.js';
import { rowsOf } from '../../engine/train/data/dataset-files.js';
import { startHub } from '../../engine/train/data/hub-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { jobsPerTest } from '../jobs/jobs-per-test.js';
import { createScriptedRunner, type ScriptedRun } from '../jobs/scripted-runner.js';
import { openTestJobs } from '../jobs/test-jobs.js';

const cloud = jobsPerTest();
const row = (text: string) => `{"text":"${text}"}\n`;
const hub = await startHub({ 'ann/chats': { files: { 'train.jsonl': row('before') } } });

/** As its trainer reads them. */
async function readRows({ task }: ScriptedRun): Promise<unknown[]> {
  const { source, cacheFolder, folder: snapshotFolder } = task.request;
  const dataset = await openDataset(source, { cacheFolder, snapshotFolder, hubUrl: hub.url, hubToken: '' });
  return (await rowsOf(dataset)).map(({ row }) => row.text);
}

it('a restored run reads the rows that it began with', async () => {
  const { id, run } = await cloud.begin({ datasetSource: { type: 'huggingface', name: 'ann/chats' } });
  expect(await readRows(run)).toEqual(['before']);
  await run.checkpoint(3);
  await until(() => cloud.story(id)).toContain('saved 3');
  hub.push('ann/chats', { 'train.jsonl': row('after') });

  const place = temporaryFolder('svc-backup');
  const [file, folder] = [join(place, 'cloud.tar'), join(place, 'data')];
  const svc = (...words: string[]) => callCli(['cloud', ...words], { env: {} });
  expect(await svc('backup', file, '--data', cloud.folder)).toMatchObject({ exitCode: 0 });
  expect(await svc('restore', file, '--data', folder)).toMatchObject({ exitCode: 0 });
  const next = createScriptedRunner();
  const restored = await openTestJobs(next, { folder, isThere: true });
  onTestFinished(() => restored.close());
  await restored.jobs.start();
  const heir = await next.next();
  expect([heir.task.jobId, heir.has(3)]).toEqual([id, true]);
  expect(await readRows(heir)).toEqual(['before']);
});
