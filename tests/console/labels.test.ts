// What is said in a line: of targets, jobs, keys, endpoints, runs, the overview and a cluster.
import { describe, expect, it } from 'vitest';
import { clusterRows, describeCluster, describePlaces } from '../../lib/console/cluster.js';
import {
  brokenRunAction,
  busiestEndpoints,
  canRun,
  deploymentHost,
  enabledLabel,
  fixText,
  hasActivity,
  identityLine,
  initialJobView,
  jobLabel,
  keyLabelProblem,
  metadataRows,
  noOutputText,
  offerRows,
  type RunState,
  reduceJobView,
  requestsText,
  resultText,
  runAction,
  runOutcome,
  settingRows,
  sparkLevels,
  targetLabel,
  targetWords,
  taskText,
  trainerText,
  troubleLabel,
  underWayText,
} from '../../lib/console/index.js';
import { ApiError, type ClusterNode, type Target, type TaskDescription } from '../../lib/contract/index.js';
import { JOB_ID as jobId, sampleJob } from '../support/samples.js';
import { seriesOf } from './support/series-of.js';

it.each<[Target, words: string, label: string]>([
  [{ kind: 'adapter', adapter: { kind: 'final', jobId } }, 'job 1a2b3c4d', 'Final adapter (job 1a2b3c4d)'],
  [
    { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: 40 } },
    'job 1a2b3c4d',
    'Checkpoint step 40 (job 1a2b3c4d)',
  ],
  [{ kind: 'base_model', baseModel: 'svc/tiny' }, 'the base model', 'Base model: svc/tiny'],
])('the target %j is called "%s" and "%s"', (target, words, label) =>
  expect([targetWords(target), targetLabel(target)]).toEqual([words, label]),
);

it.each([
  ['anonymous', 'anon-1', 'app-1f2e', 'local', 'anonymous · anon-1 / app-1f2e · local'],
  ['anonymous', 'anon-1', null, '127.0.0.1:9', 'anonymous · anon-1 · 127.0.0.1:9'],
  ['oauth', 'acme', 'bot', null, 'oauth · acme / bot'],
  ['oauth', null, null, 'cloud.example', 'oauth · cloud.example'],
] as const)('the identity line of %s, %s, %s, %s is %s', (mode, orgSlug, projectSlug, cloudHost, line) => {
  const known = { deploymentDomain: 'd.example.com', baseModel: 'm' };
  expect(identityLine({ mode, orgSlug, projectSlug, cloudHost, ...known })).toBe(line);
});

it('a job among others is told from its namesakes by id and time', () => {
  const job = { name: 'triage', id: jobId, createdAt: '2026-03-01T10:00:00.000Z' };
  const time = new Date(job.createdAt).toLocaleString();
  expect(jobLabel(job)).toBe(`\u2068triage\u2069 · 1a2b3c4d · ${time}`);
  const group = { id: jobId, settings: [{ name: 'learningRate', value: 0.001 }] };
  expect(jobLabel({ ...job, group })).toContain('triage\u2069 · learningRate=0.001 · 1a2b3c4d');
});

it('the label of a key has 1 to 80 characters, whatever they take in UTF-16, without outer blanks', () => {
  const fitting = ['x', ` ${'x'.repeat(80)} `, '🚀'.repeat(80)];
  expect(fitting.map(keyLabelProblem)).toEqual([null, null, null]);
  expect(keyLabelProblem('  ')).toContain('Enter a label');
  for (const character of ['x', '🚀'])
    expect(keyLabelProblem(character.repeat(81))).toContain('at most 80 characters; this label has 81');
});

it('a deployment is listed with its host, enabled or disabled, and a mark while it cannot serve', () => {
  const urls = ['https://demo.d.example.com', 'http://demo.localhost:4100'];
  expect(urls.map(url => deploymentHost({ url }))).toEqual(['demo.d.example.com', 'demo.localhost:4100']);
  expect([true, false].map(enabled => enabledLabel({ enabled }))).toEqual(['enabled', 'disabled']);
  const troubles = [{ problem: 'Its adapter is damaged.' }, { problem: null }, {}].map(troubleLabel);
  expect(troubles).toEqual(['cannot serve', null, null]);
});

it('the run action names the trainer, or says what is missing or could not be read', () => {
  const ready = { kind: 'ready', label: 'Run training: triage' };
  expect(runAction({ trainer: { name: 'triage', model: 'm' } })).toEqual(ready);
  const missing = { kind: 'missing', message: expect.stringContaining('createService') };
  expect(runAction({ trainer: null })).toMatchObject(missing);
  const message = 'Couldn\'t read manifest: x.ts:1: Unexpected ";"';
  const failed = (code: string) =>
    brokenRunAction(new ApiError({ status: 400, code, type: 'server_error' }, 'x.ts:1: Unexpected ";"'));
  expect(failed('manifest_build_failed')).toEqual({ kind: 'broken', message });
  expect(failed('unexpected_response')).toEqual({ kind: 'unread', message });
  expect(failed('project_missing').kind).toBe('new');
});

it('only a project that cannot be built has something to fix', () => {
  const texts = (['missing', 'broken', 'unread'] as const).map(kind =>
    fixText({ kind, message: '' }, 'press r'),
  );
  const fix = 'Fix src/svc/index.ts, then press r.';
  expect(texts).toEqual([fix, fix, 'To try again, press r.']);
});

describe('a run of the command', () => {
  const idle = { running: false, startedAt: null, jobId: null, exitCode: null };
  const running = { ...idle, running: true, startedAt: '2026-03-01T10:00:00.000Z' };
  const ended = (exitCode: number | null) => ({ ...running, running: false, exitCode });
  const ready: RunState = { action: { kind: 'ready', label: 'Run' }, status: idle, busy: false };

  it.each<[boolean, string, Partial<RunState>]>([
    [true, 'a trainer is known and nothing runs', {}],
    [true, 'one failed', { status: ended(1) }],
    [false, 'the manifest has not come', { action: null }],
    [false, 'there is no trainer', { action: { kind: 'missing', message: '' } }],
    [false, 'the build failed', { action: { kind: 'broken', message: '' } }],
    [false, 'a run is going', { status: running }],
    [false, 'it is not known whether a run is going', { status: null }],
    [false, 'one was just asked for', { busy: true }],
  ])('can be started: %s, when %s', (can, _, change) => expect(canRun({ ...ready, ...change })).toBe(can));

  it('that printed nothing says whether something may come', () => {
    const texts = [null, idle, running, ended(0)].map(status => noOutputText({ status, busy: false }));
    expect(texts).toEqual([
      'No runs started here yet.',
      'No runs started here yet.',
      'Nothing printed yet.',
      'Nothing was printed.',
    ]);
    expect(noOutputText({ status: ended(0), busy: true })).toBe('Nothing printed yet.');
  });

  it('says how it goes and how it went', () => {
    const outcomes = [null, idle, running, ended(0), ended(2), ended(null)].map(runOutcome);
    expect(outcomes.map(outcome => outcome && `${outcome.state}: ${outcome.text}`)).toEqual([
      null,
      null,
      'running: running',
      'completed: completed',
      'failed: exited with code 2',
      'failed: exited',
    ]);
  });
});

describe('what an endpoint offers', () => {
  const offer = { operations: ['chat'], corsOrigins: [] };

  it('is shown once there is more than usual, even of operations that only a newer cloud knows', () => {
    expect(offerRows(offer)).toEqual([]);
    const more = offerRows({ operations: ['chat', 'images'], corsOrigins: ['https://app.example.com'] });
    expect(more).toEqual([
      { label: 'Operations', values: ['chat', 'images'] },
      { label: 'CORS', values: ['https://app.example.com'] },
    ]);
  });

  it('says what it follows, and the last three targets before', () => {
    const earlierTargets = [40, 30, 20, 10].map(step => ({
      target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step } } as const,
      since: '2026-03-01T10:00:00.000Z',
    }));
    const [follows, before] = offerRows({ ...offer, follows: { kind: 'best', jobId }, earlierTargets });
    expect(follows).toEqual({ label: 'Follows', values: ['best of job 1a2b3c4d'] });
    const steps = [40, 30, 20].map(step => `Checkpoint step ${step} (job 1a2b3c4d)`);
    expect(before!.values.map(value => value.split(' since ')[0])).toEqual(steps);
    const [latest] = offerRows({ ...offer, follows: { kind: 'latest', trainer: 'triage' } });
    expect(latest!.values).toEqual(['latest of triage']);
  });
});

describe('the overview', () => {
  const NOW = new Date('2026-03-01T12:00:00.000Z');
  const id = '2a2b3c4d-0000-4000-8000-000000000002';
  const endpoint = (slug: string, requests: number, fields = {}) => ({
    id,
    slug,
    enabled: true,
    requests,
    failed: 0,
    ...fields,
  });

  it.each([
    [{ data: { name: 'rows.jsonl', bytes: 69_321 } }, 'svc/tiny · 1 step · rows.jsonl (69.3 kB)'],
    [{ maxSteps: undefined, data: { rows: 40 } }, 'svc/tiny · 40 rows'],
    [{ data: { name: 'org/set' } }, 'svc/tiny · 1 step · org/set'],
    [{}, 'svc/tiny · 1 step'],
  ])('says what the trainer trains on, as far as that is known: %j', (known, text) =>
    expect(trainerText({ name: 'triage', model: 'svc/tiny', maxSteps: 1, ...known })).toBe(text),
  );

  const swept = {
    id: 'sweep',
    settings: [
      { name: 'loraR', value: '8' },
      { name: 'seed', value: '1' },
    ],
  };
  it.each([
    [{ step: 140, totalSteps: 2000, loss: 0.51234 }, 'step 140 of 2,000 · loss 0.5123'],
    [{ step: 140, totalSteps: 2000, loss: -0.1, reward: 0.51234 }, 'step 140 of 2,000 · reward 0.5123'],
    [{}, 'step 0'],
    [{ status: 'running', step: 3, waitingFor: 'Waiting for it.' }, 'step 3 · Waiting for it.'],
    [{ status: 'queued' }, 'Waiting in the queue.'],
    [{ status: 'queued', waitingFor: 'Waiting for a GPU.' }, 'Waiting for a GPU.'],
    [{ step: 3, group: swept }, 'step 3 · loraR=8 seed=1'],
    [{ status: 'queued', group: swept }, 'Waiting in the queue. · loraR=8 seed=1'],
  ] as const)('says how far a run is, or what it waits for: %j', (job, text) =>
    expect(underWayText(sampleJob(job))).toBe(text),
  );

  const evaluated = { status: 'completed', bestLoss: 0.25, bestEvalLoss: 0.5 } as const;
  it.each([
    [
      { ...evaluated, bestEvalLoss: null, completedAt: '2026-03-01T09:00:00.000Z' },
      'best loss 0.25 · 3 hours ago',
    ],
    [evaluated, 'best eval loss 0.5'],
    [{ status: 'completed', reward: 0.5, bestReward: 0.75 }, 'best reward 0.75'],
    [
      { status: 'completed', reward: 0.5, bestReward: 0.75, bestEvalReward: 0.625 },
      'best held-out reward 0.625',
    ],
    [{ ...evaluated, bestScore: { name: 'accuracy', value: 0.9375, higher: true } }, 'best accuracy 0.9375'],
    [{ status: 'failed', error: 'No rows.\nAdd some.' }, 'No rows.'],
    [{ status: 'cancelled' }, ''],
    [{ ...evaluated, group: swept }, 'best eval loss 0.5 · loraR=8 seed=1'],
  ] as const)('says what a run reached, or why it failed, and when: %j', (job, text) =>
    expect(resultText(sampleJob(job), NOW)).toBe(text),
  );

  it('says how much an endpoint is asked, the busiest first', () => {
    const texts = [
      endpoint('a', 1),
      endpoint('a', 1200, { failed: 3 }),
      endpoint('a', 0, { enabled: false }),
    ];
    expect(texts.map(each => requestsText(each, {}))).toEqual([
      '1 request in the last hour',
      '1,200 requests in the last hour, 3 failed',
      'disabled',
    ]);
    const countedSince = '2026-01-02T03:04:05.000Z';
    expect(requestsText(endpoint('a', 0), { countedSince })).toBe('0 requests since the cloud started');
    const endpoints = [endpoint('quiet', 0), endpoint('busy', 9), endpoint('some', 2)];
    const [none, busy] = [[], endpoints].map(endpoints => ({ running: [], recent: [], endpoints }));
    expect(busiestEndpoints(busy!, 2).map(({ slug }) => slug)).toEqual(['busy', 'some']);
    expect([hasActivity(busy!), hasActivity(none!)]).toEqual([true, false]);
  });

  it('draws a series in one row', () => {
    const series = seriesOf({ 0: 5, 1: 4, 2: 3, 3: 1 });
    expect([sparkLevels(series, 10, 5), sparkLevels(series, 2, 5)]).toEqual([
      [4, 3, 2, 0],
      [3, 0],
    ]);
    expect(sparkLevels(seriesOf({}), 10, 5)).toEqual([]);
  });
});

describe('a cluster', () => {
  const cluster = { kind: 'ray', url: 'http://head:8265', version: '2.60.0', problem: null } as const;
  const node = (cpus: number, used: number | null, gpus = 0): ClusterNode => ({
    name: 'a',
    address: '10.0.0.1',
    isHead: false,
    cpus: { total: cpus, used },
    gpus: { total: gpus, used: gpus > 0 ? 1 : 0 },
    memory: { total: 2 ** 30, used: 0 },
  });

  it.each([
    [
      'how much is in use',
      [node(8, 3, 2), node(4, 1)],
      '2 nodes, 4 of 12 CPUs in use, 1 of 2 GPUs in use, 2.1 GB',
    ],
    ['no more than it says', [node(1, null)], '1 node, 1 CPU, 0 GPUs, 1.1 GB'],
  ])('is said in one line: %s', (_, nodes, text) =>
    expect(describeCluster({ ...cluster, nodes })).toBe(`Ray 2.60.0: ${text} of memory`),
  );

  it('is not said while it is away', () =>
    expect(describeCluster({ ...cluster, version: null, problem: 'It is away.', nodes: [] })).toBeNull());

  it('is said with what runs on each node, what is about to start, and what waits for what', () => {
    const head = { ...node(0, 0), name: 'head', isHead: true };
    const gpu = { ...node(4, 1, 1), name: 'gpu', address: '10.0.0.7' };
    const runs = [
      { jobId: 'one', attempt: 1, worker: '10.0.0.7' },
      { jobId: 'two', attempt: 1, worker: null },
    ];
    const waits = [{ jobId: 'three', reason: 'Waiting for 8 GPUs: the largest node has 1 GPU.' }];
    expect(describePlaces({ ...cluster, nodes: [head, gpu], runs, waits })).toEqual([
      { kind: 'node', text: 'head (head): 0 CPUs, 1.1 GB of memory' },
      { kind: 'node', text: 'gpu: 1 of 4 CPUs in use, 1 of 1 GPU in use, 1.1 GB of memory, job one' },
      { kind: 'waiting', text: 'job two: Starting.' },
      { kind: 'waiting', text: 'job three: Waiting for 8 GPUs: the largest node has 1 GPU.' },
    ]);
  });

  it('says once of a job that starts why it has not yet, and leaves out most of a thousand nodes', () => {
    const runs = [{ jobId: 'two', attempt: 1, worker: null }];
    const waits = [{ jobId: 'two', reason: 'Starting on the Ray cluster.' }];
    expect(clusterRows({ ...cluster, nodes: [], runs, waits }).waiting).toEqual(waits);
    const lines = describePlaces({ ...cluster, nodes: Array(1000).fill(node(1, 0)), runs: [], waits: [] });
    expect([lines.length, lines.at(-1)!.text]).toEqual([21, 'and 980 more']);
  });
});

describe('a task', () => {
  const base = { name: 'triage', input: {}, output: {} };

  it.each<[TaskDescription, string]>([
    [{ ...base, kind: 'text' }, 'triage (text)'],
    [{ ...base, kind: 'labels', labels: ['bug', 'wish'] }, 'triage (labels): bug, wish'],
    [
      { ...base, kind: 'labels', labels: Array.from({ length: 1000 }, (_, index) => `${index}`) },
      'triage (labels): 0, 1, 2, 3, 4, 5, and 994 more',
    ],
    [
      {
        ...base,
        kind: 'fields',
        fields: [
          { name: 'id', type: 'number' },
          { name: 'note', type: 'text', optional: true },
        ],
      },
      'triage (fields): id: number, note?: text',
    ],
  ])('is a line', (task, line) => {
    expect(taskText(task)).toBe(line);
  });

  it('is among what an endpoint offers, and among the facts of a job', () => {
    const task = { ...base, kind: 'text' as const };
    const offer = { operations: ['chat'], corsOrigins: [], task };
    expect(offerRows(offer)).toEqual([{ label: 'Task', values: ['triage (text)'] }]);
    const view = reduceJobView(initialJobView, { type: 'polled', job: { ...sampleJob({}), task } });
    expect(metadataRows(view, 'j')).toContainEqual({ label: 'Task', value: 'triage (text)' });
  });
});

describe('what a run went on from', () => {
  const from = { kind: 'final', jobId: '3f2a91c0-0000-4000-8000-000000000001', step: 1400 };
  const shown = (config: object) => {
    const view = reduceJobView(initialJobView, { type: 'polled', job: sampleJob({ config: { ...config } }) });
    return metadataRows(view, 'j').find(({ label }) => label === 'From');
  };

  it('is a fact of its job, by the start of an ID and a step, with a link, and a setting', () => {
    const to = { tab: 'jobs', id: from.jobId };
    expect(shown({ from })).toEqual({ label: 'From', value: '3f2a91c0, step 1,400', to });
    expect(shown({ from, keepOptimizer: true })?.value).toBe('3f2a91c0, step 1,400, with its optimizer');
    expect(shown({ from: { ...from, step: undefined } })?.value).toBe('3f2a91c0, final');
    expect(shown({ from: 'unknown' })).toBeUndefined();
    expect(shown({})).toBeUndefined();
    const [setting] = settingRows({ config: { from }, customSettings: [] });
    expect(setting).toMatchObject({ name: 'from', value: '3f2a91c0, step 1,400' });
  });
});

it.each([
  [{ beta: 0.1, labelSmoothing: 0, type: 'dpo' }, 'dpo, beta 0.1, labelSmoothing 0'],
  [
    { group: 4, updates: 2, type: 'grpo', reward: { type: 'function' } },
    'grpo, reward function, group 4, updates 2',
  ],
  [
    { group: 8, schema: { type: 'object' }, type: 'grpo', reward: { type: 'string_check', name: 'right' } },
    'grpo, reward string_check right, group 8, with a schema',
  ],
])('a method is said with its kind first: %j', (method, value) => {
  expect(settingRows({ config: { method } })).toMatchObject([{ name: 'method', value }]);
});
