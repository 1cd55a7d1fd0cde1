// Requests to an account's API: pages, back-off, and what is wrong with an address or an answer.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAccount } from '../../../lib/sdk/openai-account/index.js';
import {
  ACCOUNT_KEY,
  accountJob,
  type FakeAccount,
  openFakeAccount,
  sendError,
  sendJson,
} from '../../support/fake-account.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

let fake: FakeAccount;
beforeEach(async () => {
  fake = await openFakeAccount();
  fake.jobs.push(accountJob());
});
afterEach(() => fake.close());

const ID = 'ftjob-supervised1';

function open(more: object = {}) {
  const clock = createVirtualClock();
  const waits: { ms: number; why: string }[] = [];
  const account = openAccount({
    baseUrl: fake.url,
    apiKey: ACCOUNT_KEY,
    clock,
    onWait: wait => waits.push(wait),
    ...more,
  });
  /** The result, however long the waits. */
  async function settle<T>(promise: Promise<T>): Promise<T> {
    let isOpen = true;
    void promise
      .catch(() => {})
      .finally(() => {
        isOpen = false;
      });
    // No time passes while a request is under way, however late its answer is.
    while (isOpen) await (clock.nextMs === null ? setImmediate() : clock.pass(clock.nextMs));
    return promise;
  }
  return { account, waits, settle };
}

/** Answers the first requests so, and the others as usual. */
function failFirst(...failures: [status: number, headers?: Record<string, string>, code?: string][]) {
  fake.intercept = (_request, response) => {
    const failure = failures.shift();
    if (!failure) return false;
    const [status, headers, code = null] = failure;
    sendError(response, status, code, 'Slow down.', headers);
    return true;
  };
}

it('asks again after limits, conflicts and faults of the server, with growing waits', async () => {
  failFirst([429], [500], [503], [409], [408]);
  const { account, waits, settle } = open();
  expect(await settle(account.getJob(ID))).toMatchObject({ id: ID });
  expect(fake.requests).toHaveLength(6);
  const most = [500, 1000, 2000, 4000, 8000];
  waits.forEach(({ ms, why }, index) => {
    expect(ms).toBeLessThanOrEqual(most[index]!);
    expect(ms).toBeGreaterThanOrEqual(most[index]! / 2);
    expect(why).toMatch(/answered \d+\. Slow down\.$/);
  });
});

it('waits at least as long as the server asks, in seconds, milliseconds or until a date', async () => {
  failFirst(
    [429, { 'retry-after': '20' }],
    [429, { 'retry-after-ms': '30000' }],
    [503, { 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' }],
  );
  const { account, waits, settle } = open();
  await settle(account.getJob(ID));
  expect(waits.map(({ ms }) => ms)).toEqual([20_000, 30_000, 70_000]);
});

it('does not wait for hours, and says when to come back', async () => {
  failFirst([429, { 'retry-after': '7200' }]);
  const { account, settle } = open();
  await expect(settle(account.getJob(ID))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('It asks to wait 120 minutes; run the command again then.'),
  });
});

it('gives up sooner at an address where nobody has ever answered', async () => {
  await fake.close();
  const { account, waits, settle } = open();
  await expect(settle(account.getJob(ID))).rejects.toMatchObject({ kind: 'unavailable' });
  expect(waits).toHaveLength(3);
  fake = await openFakeAccount();
});

it('gives up after ten tries', async () => {
  failFirst(...Array.from({ length: 50 }, () => [500] as [number]));
  const { account, settle } = open();
  await expect(settle(account.getJob(ID))).rejects.toMatchObject({ kind: 'unavailable' });
  expect(fake.requests).toHaveLength(10);
});

it.each<[string, Parameters<typeof failFirst>[0], string]>([
  ['a key that is not accepted', [401], 'denied'],
  ['a right that is missing', [403], 'denied'],
  ['an account without quota', [429, {}, 'insufficient_quota'], 'denied'],
  ['what is not there', [404], 'missing'],
  ['a bad request', [400], 'refused'],
  ['a server that does not want to be asked again', [503, { 'x-should-retry': 'false' }], 'unexpected'],
  ['an account without credit', [402], 'denied'],
  ['a redirect', [301, { location: 'http://127.0.0.1:1/' }], 'denied'],
])('asks once about %s', async (_what, failure, kind) => {
  failFirst(failure);
  await expect(open().account.getJob(ID)).rejects.toMatchObject({ kind });
  expect(fake.requests).toHaveLength(1);
});

it('asks again when a connection is lost, before or within an answer, and says when there is none', async () => {
  let cuts = 0;
  fake.intercept = (_request, response) => {
    if (++cuts > 2) return false;
    if (cuts === 1) response.destroy();
    else response.writeHead(200, { 'content-length': 100 }).write('{"id":', () => response.destroy());
    return true;
  };
  const { account, settle } = open();
  expect(await settle(account.getJob(ID))).toMatchObject({ id: ID });
  await fake.close();
  await expect(settle(account.getJob(ID))).rejects.toMatchObject({
    kind: 'unavailable',
    message: `${fake.host} could not be reached (ECONNREFUSED).`,
  });
});

it('reads lists to their end, and refuses one that has none', async () => {
  fake.jobs = Array.from({ length: 250 }, (_, index) => accountJob({ id: `ftjob-${index}` }));
  const { account } = open();
  const ids: string[] = [];
  for await (const { id } of account.listJobs()) ids.push(id);
  expect(ids).toEqual(fake.jobs.map(({ id }) => id));
  expect(fake.requests.map(({ query }) => [query.get('limit'), query.get('after')])).toEqual([
    ['100', null],
    ['100', 'ftjob-99'],
    ['100', 'ftjob-199'],
  ]);
  fake.intercept = (_request, response) => {
    sendJson(response, { data: fake.jobs.slice(0, 2), has_more: true });
    return true;
  };
  const all = async () => {
    for await (const _job of account.listJobs());
  };
  await expect(all()).rejects.toMatchObject({
    kind: 'unexpected',
    message: expect.stringContaining('repeats itself'),
  });
});

it('reads jobs of all ages: fields that are missing or odd are null', async () => {
  fake.jobs = [
    { id: 'ft-old', model: 'curie', status: 'succeeded', created_at: 1, method: 'x', seed: 'y', later: [1] },
  ];
  expect(await open().account.getJob('ft-old')).toEqual({
    ...{ id: 'ft-old', model: 'curie', status: 'succeeded', created_at: 1, later: [1] },
    ...{ finished_at: null, fine_tuned_model: null, training_file: null, validation_file: null },
    ...{ result_files: [], seed: null, trained_tokens: null, user_provided_suffix: null },
    ...{ hyperparameters: null, method: null, error: null, integrations: null },
  });
});

it.each(['<html>', '[]', '{"id":5}', '{"id":"a\\u0007","model":"m","status":"s","created_at":1}'])(
  'says that %s is not of the API',
  async body => {
    fake.intercept = (_request, response) => {
      response.writeHead(200).end(body);
      return true;
    };
    await expect(open().account.getJob(ID)).rejects.toMatchObject({ kind: 'unexpected' });
  },
);

it('stops as soon as it is aborted, also while it waits', async () => {
  failFirst([500]);
  const abort = new AbortController();
  const { account } = open({ signal: abort.signal, onWait: () => abort.abort(new Error('enough')) });
  await expect(account.getJob(ID)).rejects.toThrow('enough');
});
