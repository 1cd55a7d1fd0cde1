// Runs in Weights & Biases, on a scripted server that loses requests and answers.
import { expect, it } from 'vitest';
import { openServer, sendToWandb } from '../../lib/run-export/index.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { openWandb } from '../support/tracking-servers.js';
import { cutRun, longRun, START, sampleRun } from './sample-run.js';

const KEY = 'local-key';
const connect = ({ url }: { url: string }, key = KEY) =>
  openServer({
    url,
    authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}`,
    clock: createHastyClock(),
    signal: new AbortController().signal,
  });
const name = sampleRun().id.replaceAll('-', '');

it('makes a run under the ID of the job, with its settings, history, summary and end', async () => {
  const wandb = await openWandb(KEY);
  const sent = await sendToWandb(connect(wandb), 'team/triage', sampleRun());
  expect(sent).toEqual({ url: `${wandb.url}/team/triage/runs/${name}`, sent: 5, total: 5 });
  const run = wandb.runs.get(name)!;
  expect(run).toMatchObject({ displayName: 'triage', notes: 'why', tags: ['new & old'], entity: 'team' });
  expect(JSON.parse(run.config)).toEqual({
    loraR: { value: '8', desc: null },
    dataset: { value: 'a | b', desc: null },
  });
  expect(wandb.history()[0]).toEqual({
    _step: 0,
    _timestamp: START / 1000 + 1,
    _runtime: 1,
    'train/global_step': 1,
    'train/loss': 2,
    'train/learning_rate': 0.001,
    'system/memory_bytes': 1e9,
  });
  expect(wandb.history().map(line => [line._step, line['train/global_step']])).toEqual([
    [0, 1],
    [1, 2],
    [2, 300],
    [3, 2],
    [4, 302],
  ]);
  expect(wandb.summary()).toEqual([
    expect.objectContaining({ 'train/loss': 0.25, 'score/exact match': 0.5, 'eval/reward_margin': 0.125 }),
  ]);
  expect(wandb.ends).toEqual([{ complete: true, exitcode: 0 }]);
});

it('adds to a run what is new, and nothing twice', async () => {
  const wandb = await openWandb(KEY);
  const send = (run: Parameters<typeof sendToWandb>[2]) => sendToWandb(connect(wandb), 'triage', run);
  expect(await send(cutRun(3))).toMatchObject({ sent: 3, total: 3 });
  expect(wandb.ends).toEqual([]);
  expect(await send(sampleRun({ status: 'failed' }))).toMatchObject({ sent: 2, total: 5 });
  expect(await send(sampleRun({ status: 'failed' }))).toMatchObject({ sent: 0, total: 5 });
  expect(wandb.history().map(({ _step }) => _step)).toEqual([0, 1, 2, 3, 4]);
  expect(wandb.ends[0]).toEqual({ complete: true, exitcode: 1 });
  expect(wandb.runs.size).toBe(1);
});

it('sums up a run with more rows than a call has arguments', async () => {
  const rows = 150_000;
  const sent: unknown[] = [];
  const project = { name: 'triage', entity: { name: 'me' } };
  const server = {
    url: 'http://localhost',
    patiently: <T>(work: () => Promise<T>) => work(),
    async ask(_: string, path: string, body: unknown) {
      sent.push(body);
      const bucket = { name, historyLineCount: rows, project };
      return path === '/graphql' ? { data: { upsertBucket: { bucket } } } : {};
    },
  };
  await sendToWandb(server, 'triage', longRun(rows));
  const content = [expect.stringContaining(`"train/global_step":${rows}`)];
  expect(sent[1]).toEqual({ files: { 'wandb-summary.json': { offset: 0, content } } });
});

it('sends a long run in parts, whichever answers are lost', async () => {
  const wandb = await openWandb(KEY);
  let count = 0;
  wandb.fate = () => (['answered', 'handled, then dropped', 'dropped'] as const)[count++ % 3]!;
  await sendToWandb(connect(wandb), 'triage', longRun(4500));
  expect(wandb.history().map(line => line['train/global_step'])).toEqual(
    Array.from({ length: 4500 }, (_, index) => index + 1),
  );
});

it('says why the server refuses, without the key', async () => {
  const wandb = await openWandb(KEY);
  await expect(sendToWandb(connect(wandb), 'refused', sampleRun())).rejects.toThrow(
    `${wandb.url}/graphql refused the run: permission denied`,
  );
  await expect(sendToWandb(connect(wandb, 'other'), 'triage', sampleRun())).rejects.toThrow(
    `${wandb.url}/graphql answered 401: unauthorized`,
  );
});
