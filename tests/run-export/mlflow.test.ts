// Runs in MLflow, on a scripted server that loses requests and answers.
import { expect, it } from 'vitest';
import { measuredRows, openServer, sendToMlflow } from '../../lib/run-export/index.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { openMlflow } from '../support/tracking-servers.js';
import { cutRun, longRun, START, sampleRun } from './sample-run.js';

const connect = ({ url }: { url: string }, authorization?: string) =>
  openServer({ url, authorization, clock: createHastyClock(), signal: new AbortController().signal });

it('makes an experiment and a run with settings, tags, measurements and an end', async () => {
  const mlflow = await openMlflow();
  const sent = await sendToMlflow(connect(mlflow, 'Bearer secret'), 'my project', sampleRun());
  expect(sent).toEqual({ url: `${mlflow.url}/#/experiments/1/runs/run1`, sent: 5, total: 5 });
  expect([...mlflow.experiments.keys()]).toEqual(['my project']);
  const [run] = mlflow.runs;
  expect(run!.info).toMatchObject({
    run_name: 'triage',
    start_time: START,
    status: 'FINISHED',
    end_time: START + 10_000,
  });
  expect(Object.fromEntries(run!.tags)).toEqual({
    'svc.job': sampleRun().id,
    'svc.rows': '5',
    'mlflow.note.content': 'why',
    'tag.new _ old': 'true',
  });
  expect(Object.fromEntries(run!.params)).toEqual({ loraR: '8', dataset: 'a | b' });
  expect(
    run!.metrics.map(({ key, value, step, timestamp }) => [key, value, step, timestamp - START]),
  ).toEqual([
    ['train/loss', 2, 1, 1000],
    ['train/learning_rate', 0.001, 1, 1000],
    ['system/memory_bytes', 1e9, 1, 1000],
    ['train/loss', 1.5, 2, 2000],
    ['train/loss', 0.25, 300, 9000],
    ['score/exact match', 0.5, 2, 9000],
    ['eval/reward_margin', 0.125, 302, 9000],
  ]);
  expect(mlflow.requests.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
});

it('adds to a run what is new, and nothing twice', async () => {
  const mlflow = await openMlflow();
  const send = (run: Parameters<typeof sendToMlflow>[2]) => sendToMlflow(connect(mlflow), 'p', run);
  expect(await send(cutRun(3))).toMatchObject({ sent: 3, total: 3 });
  expect(mlflow.runs[0]!.info.status).toBe('RUNNING');
  expect(await send(sampleRun())).toMatchObject({ sent: 2, total: 5 });
  expect(await send(sampleRun())).toMatchObject({ sent: 0, total: 5 });
  expect(mlflow.runs).toHaveLength(1);
  expect(mlflow.runs[0]!.metrics).toHaveLength(7);
  expect(mlflow.runs[0]!.info.status).toBe('FINISHED');
});

it('has the note and the tags that the job has now, and keeps those of others, whichever answers are lost', async () => {
  const mlflow = await openMlflow();
  const tagsAfter = async (fields: Parameters<typeof sampleRun>[0]) => {
    await sendToMlflow(connect(mlflow), 'p', sampleRun(fields));
    const { 'svc.job': _, 'svc.rows': __, ...others } = Object.fromEntries(mlflow.runs[0]!.tags);
    return others;
  };
  await tagsAfter({ tags: ['a', 'b'] });
  mlflow.runs[0]!.tags.set('team', 'x');
  let count = 0;
  mlflow.fate = () => (['answered', 'handled, then dropped'] as const)[count++ % 2]!;
  const others = { 'mlflow.note.content': 'because', team: 'x' };
  expect(await tagsAfter({ tags: ['b', 'c'], note: 'because' })).toEqual({
    ...others,
    ...{ 'tag.b': 'true', 'tag.c': 'true' },
  });
  expect(await tagsAfter({ tags: [], note: '' })).toEqual(others);
});

it('keeps names apart, and writes them as MLflow takes them', async () => {
  const mlflow = await openMlflow();
  const scores = ['精度', '召回', 'a//b', './a/../b/', 'a!', 'a?', 'a!'];
  const rows = scores.map((name, index) => ({
    ...sampleRun().rows[0]!,
    step: index,
    values: { [`score/${name}`]: index },
  }));
  const settings = ['a?', 'a!'].map(name => ({ name, value: name }));
  const run = sampleRun({ rows: rows as never, settings, tags: ['基线', '新版', 'a/'] });
  await sendToMlflow(connect(mlflow), 'p', run);
  const [sent] = mlflow.runs;
  const names = ['精度', '召回', 'a/b', 'a/b_2', 'a_', 'a__2', 'a_'];
  expect(sent!.metrics.map(({ key }) => key)).toEqual(names.map(name => `score/${name}`));
  expect([...sent!.params]).toEqual([
    ['a_', 'a?'],
    ['a__2', 'a!'],
  ]);
  expect([...sent!.tags.keys()]).toEqual(expect.arrayContaining(['tag.基线', 'tag.新版', 'tag.a']));
});

it('sends a long run in parts, whichever answers are lost', async () => {
  const mlflow = await openMlflow();
  let count = 0;
  mlflow.fate = () => (['answered', 'handled, then dropped', 'dropped'] as const)[count++ % 3]!;
  const run = longRun(2000);
  expect(await sendToMlflow(connect(mlflow), 'p', run)).toMatchObject({ total: 2000 });
  expect(mlflow.runs).toHaveLength(1);
  const metrics = measuredRows(run).flatMap(({ step, values }) =>
    Object.entries(values).map(([key, value]) => [key, value, step]),
  );
  expect(mlflow.runs[0]!.metrics.map(({ key, value, step }) => [key, value, step])).toEqual(metrics);
});

it('says what the server answered, and gives up on an error that stays', async () => {
  const mlflow = await openMlflow();
  const refusal = { status: 403, body: { error_code: 'PERMISSION_DENIED', message: 'not yours' } };
  mlflow.fate = ({ path }) => (path.endsWith('runs/create') ? refusal : 'answered');
  await expect(sendToMlflow(connect(mlflow), 'p', sampleRun())).rejects.toThrow(
    `${mlflow.url}/api/2.0/mlflow/runs/create answered 403: not yours`,
  );
  mlflow.fate = () => 'dropped';
  mlflow.requests.length = 0;
  await expect(sendToMlflow(connect(mlflow), 'p', sampleRun())).rejects.toThrow(
    `${mlflow.url} cannot be reached: UND_ERR_SOCKET.`,
  );
  expect(mlflow.requests).toHaveLength(5);
});

it('does not follow a redirect with the key', async () => {
  const [mlflow, other] = [await openMlflow(), await openMlflow()];
  mlflow.fate = () => ({ status: 302, body: {} });
  await expect(sendToMlflow(connect(mlflow, 'Bearer secret'), 'p', sampleRun())).rejects.toThrow(
    'answered 302, a redirect. Name the address that it leads to.',
  );
  expect(other.requests).toEqual([]);
});

it.each([
  ['ftp://host', undefined, 'must be the address of a server'],
  ['host', undefined, 'must be the address of a server'],
  ['https://me:pw@host', undefined, 'must not contain a user name or password'],
  ['http://host.example', 'Bearer secret', 'must start with https://'],
])('refuses the address %s', (url, authorization, message) => {
  expect(() => connect({ url }, authorization)).toThrow(message);
});

it('takes an address without encryption if there is no key to read', () => {
  expect(connect({ url: 'http://host.example:5000/base/' }).url).toBe('http://host.example:5000/base');
});
