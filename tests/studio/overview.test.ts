// What goes on in the project, for both faces.
import { afterEach, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { sampleJob } from '../support/samples.js';
import { openStudio, type TestStudio } from './open-studio.js';

let test: TestStudio;
afterEach(() => test.close());

const NOTHING = { running: [], recent: [], endpoints: [] };

it('is what the cloud says', async () => {
  const { config: _config, ...summary } = sampleJob();
  const overview = { ...NOTHING, running: [summary] };
  test = await openStudio({ getOverview: () => overview as never });
  await test.beKnown();
  await test.writeState();
  expect(await test.json('GET', '/api/overview')).toMatchObject({
    status: 200,
    body: { running: [{ name: 'triage' }] },
  });
});

it('is empty without a project, and the cloud is not asked', async () => {
  test = await openStudio({});
  expect(await test.json('GET', '/api/overview')).toEqual({ status: 200, body: NOTHING });
  expect(test.cloud.calls).toEqual([]);
});

it('is empty where the cloud has none, and other failures are told', async () => {
  let failure = new ApiError('unknown_url', 'There is no such route.');
  test = await openStudio({
    getOverview: () => {
      throw failure;
    },
  });
  await test.beKnown();
  await test.writeState();
  expect(await test.json('GET', '/api/overview')).toEqual({ status: 200, body: NOTHING });
  failure = new ApiError('internal_error', 'Broken.');
  expect(await test.json('GET', '/api/overview')).toMatchObject({ status: 500 });
});
