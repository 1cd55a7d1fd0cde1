// Attempts that are opened for workers elsewhere while the disk is full, or while a commit's outcome is unknown.
import { expect, it } from 'vitest';
import { FULL } from '../../../lib/cloud/store/storage-fault.js';
import type { Job } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { failFiles } from '../fail-files.js';
import { failAfterCommit } from '../store/overwrite.js';
import { cloudWithDoor } from './attempts-elsewhere.js';

const door = cloudWithDoor();
const ROWS = '{"prompt":"How much is 1 and 1?","completion":"2"}';

async function find(id: string): Promise<Job> {
  return (await door.cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;
}

it('an attempt waits while the disk is too full for its rows, and says so', async () => {
  let isFull = true;
  const wrapFiles = failFiles('writeTokens', () => isFull);
  const { jobs, attempts } = await door.open([ROWS], { wrapFiles }, {}, { admits: false });
  const [{ id }] = jobs as [Job];
  await until(() => find(id)).toMatchObject({ status: 'running', waitingFor: FULL });
  isFull = false;
  await until(() => attempts).toHaveLength(1);
  expect((await find(id)).waitingFor).toBeNull();
  await door.claim(attempts[0]!);
});

it('an attempt can be claimed although it is not known whether it was stored', async () => {
  let isArmed = false;
  const { attempts } = await door.open([ROWS], {
    // What is stored next is the attempt.
    wrapFiles: files => ({
      ...files,
      run(kind, input, asked) {
        isArmed ||= kind === 'writeTokens';
        return files.run(kind, input, asked);
      },
    }),
    wrapDb: db =>
      failAfterCommit(db, () => {
        const wasArmed = isArmed;
        isArmed = false;
        return wasArmed;
      }),
  });
  expect((await door.claim(attempts[0]!)).run).toMatchObject({ attempt: 1 });
});
