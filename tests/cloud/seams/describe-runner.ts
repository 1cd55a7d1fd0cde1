// What any runner must do, as its owners see it: through the jobs of a real cloud, and at the seam itself. Runs on whatever
// `make` returns, for this machine as for a cluster.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import type { JobConfigInput, JobEvent, PendingRewards, RunManifest } from '../../../lib/contract/index.js';
import { readTar } from '../../../lib/tar/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { outline } from '../jobs/jobs-per-test.js';
import { openRunHost, type RunHost, type WatchedRun } from './run-host.js';

const SHORT: Partial<JobConfigInput> = { loraR: 2, loraAlpha: 4, batchSize: 2, maxSteps: 3, saveSteps: 2 };
const ENDLESS: Partial<JobConfigInput> = { ...SHORT, maxSteps: 1_000_000, saveSteps: 1_000_000 };

const ROWS = Array.from({ length: 6 }, (_, i) =>
  JSON.stringify({ prompt: `say ${i}`, completion: ` the answer is ${i}` }),
).join('\n');

export interface RunnerTraits {
  /** Of jobs; otherwise the runner chooses. */
  engine?: 'node' | 'torch';
  /** Asks for the rewards of its answers, for a run that learns from them. */
  learnsFromRewards?: boolean;
  /** Records the losses of rows, and what it ran on. */
  hasRecord?: boolean;
  /** More steps than may be under way between its engine and the cloud, so that a run that is held does not end. */
  steps?: number;
  /** `long`: not before every change. */
  tags?: string[];
  /**
   * Its engine is tested alone, too, and all else is what the runner of our own engine does: what they show together is
   * tagged `long`.
   */
  isTestedApart?: boolean;
}

const SAVES = 3;

/** `make` is called for each cloud: a cloud that is started again has a new runner. */
export function describeRunner(
  name: string,
  make: () => Promise<JobRunner>,
  {
    hasRecord = false,
    learnsFromRewards = false,
    steps = 320,
    tags = [],
    isTestedApart = false,
    ...settings
  }: RunnerTraits = {},
): void {
  // The first run is the one that the later ones are compared with.
  describe.sequential(name, { timeout: JOURNEY_TIMEOUT_MS, shuffle: false, tags }, () => {
    const saveSteps = Math.floor(steps / (SAVES + 0.5));
    const checkpoints = Array.from({ length: SAVES }, (_, i) => (i + 1) * saveSteps);
    const LONG: Partial<JobConfigInput> = { ...SHORT, maxSteps: steps, saveSteps };
    const apart = isTestedApart ? { tags: ['long'] } : {};
    let modelFolder: string;
    let host: RunHost;
    let datasetId: string;
    /** The log of a run that nobody disturbed. */
    let whole: JobEvent[] = [];
    /** What it leaves besides its adapters. */
    let record: RunRecord;

    beforeAll(async () => {
      modelFolder = await makeModelFolder();
      host = await openRunHost(await make(), modelFolder);
      datasetId = await host.test.upload(ROWS);
    });
    afterEach(() => host.end());
    afterAll(async () => {
      await host.close();
      await rm(modelFolder, { recursive: true, force: true });
    });

    async function create(config: Partial<JobConfigInput>): Promise<string> {
      const datasetSource = { type: 'upload', datasetId } as const;
      const { id } = await host.test.create({ ...config, datasetSource, ...settings });
      return id;
    }

    /** How its attempts have ended, as its runner sees it. */
    const endingsOf = (id: string) => runsOf(host, id).map(({ ending }) => ending?.status);

    async function finish(id: string): Promise<JobEvent[]> {
      await host.test.until(id, 'completed');
      await until(() => endingsOf(id)).not.toContain(undefined);
      return readWhole(host, id);
    }

    /** A run that this happened to at its first step, which is recorded after that. */
    async function createAndMeddle(meddle: (run: WatchedRun['run']) => unknown) {
      const hold = host.holdNext();
      const id = await create(LONG);
      const { run } = await hold.held;
      await meddle(run);
      hold.release();
      return { id, run };
    }

    it('reports what a run does, in order, and its adapters before their names', async () => {
      const id = await create(LONG);
      whole = await finish(id);
      const saves = checkpoints.map(
        (step, i) => `log ${(checkpoints[i - 1] ?? 0) + 1}-${step}, saved ${step}`,
      );
      const rest = `log ${checkpoints.at(-1)! + 1}-${steps}`;
      expect(outline(whole)).toBe(['started', ...saves, rest, 'completed', 'end completed'].join(', '));
      const started = find(whole, 'training.started');
      expect(started).toMatchObject({ model: 'svc/tiny', dataset: 'rows.jsonl', totalSteps: steps });
      for (const event of whole) expect(Date.parse(event.timestamp!)).toBeGreaterThan(0);
      const { artifacts } = find(whole, 'training.completed');
      const names = [...checkpoints.map(step => `checkpoint-${step}`), 'final'];
      expect(artifacts.map(({ name }) => name)).toEqual(names);
      for (const { name, sha256, bytes } of artifacts)
        expect([name, await readAdapter(host, id, name)]).toEqual([name, { sha256, bytes }]);
      expect(endingsOf(id)).toEqual(['completed']);
    });

    it.skipIf(!hasRecord)('leaves what is needed to repeat it', async () => {
      record = await readRecord(host, find(whole, 'end').jobId);
      const data = { training: { rows: ROWS.split('\n').length }, evaluation: null };
      expect(record.run).toMatchObject({ data, environments: [{ fromStep: 0 }] });
      expect(record.rows).toHaveLength(data.training.rows);
    });

    it('says how it ended after everything else, and counts no more', apart, async () => {
      const id = await create(SHORT);
      let atEnd: JobEvent[] | null = null;
      host.onNext(({ run, reports }) => {
        void run.ended.then(async () => {
          // Some may still be on their way into the log.
          await Promise.all(reports);
          atEnd = await host.test.events(id);
        });
      });
      const log = await finish(id);
      await until(() => atEnd?.length).toBe(log.length);
      await expectOver(host, id);
    });

    it('measures nothing and keeps nothing in a dry run', apart, async () => {
      const id = await create({ ...LONG, dryRun: true });
      const log = await finish(id);
      expect(outline(log)).toBe('started, log 1, completed, end completed');
      expect(find(log, 'training.completed').artifacts).toEqual([]);
    });

    it('ends without a word when it is canceled before it has begun', async () => {
      host.onNext(({ run }) => run.cancel());
      const id = await create(ENDLESS);
      await host.test.until(id, 'cancelled');
      expect(outline(await readWhole(host, id))).toBe('end cancelled');
      expect(endingsOf(id)).toEqual(['cancelled']);
      await expectOver(host, id);
    });

    it('ends soon when it is canceled, and what it says then is not heard', apart, async () => {
      const id = await create(ENDLESS);
      await until(async () => outline(await host.test.events(id))).toMatch('log 1');
      await host.test.json('POST', `/v1/jobs/${id}/cancel`);
      await until(() => endingsOf(id)).toEqual(['cancelled']);
      await expectOver(host, id);
      expect((await readWhole(host, id)).at(-1)).toMatchObject({ type: 'end', status: 'cancelled' });
    });

    it('is paused before it has begun, or after its first step, and loses nothing', apart, async () => {
      host.onNext(({ run }) => run.pause());
      const id = await create(LONG);
      const log = await finish(id);
      expect(endingsOf(id)).toEqual(['paused', 'completed']);
      const { resumedFromStep } = find(log, 'training.started', -1);
      expect(resumedFromStep ?? 0).toBeLessThanOrEqual(1);
      expectSame(log, whole, resumedFromStep);
    });

    it('is paused after its step with a checkpoint, and goes on from it with the same losses', async () => {
      const { id } = await createAndMeddle(run => run.pause());
      const log = await finish(id);
      expect(endingsOf(id)).toEqual(['paused', 'completed']);
      const { resumedFromStep = 0 } = find(log, 'training.started', -1);
      expect(resumedFromStep).toBeGreaterThan(0);
      expect(outline(log)).toContain(`, saved ${resumedFromStep},`);
      expectSame(log, whole, resumedFromStep);
      if (hasRecord) expect(await readRecord(host, id)).toEqual(record);
    });

    it('goes on with the same losses after it was killed', async () => {
      const { id, run } = await createAndMeddle(run => run.kill());
      expect((await run.ended).status).not.toBe('completed');
      expectSame(await finish(id), whole);
      expect(runsOf(host, id).map(({ document }) => document.attempt)).toEqual([1, 2]);
      if (hasRecord) expect(await readRecord(host, id)).toEqual(record);
    });

    it('goes on with the same losses after its cloud was started again', apart, async () => {
      const { id, run } = await createAndMeddle(async () => {
        host = await host.reopen(await make());
      });
      const log = await finish(id);
      const again = runsOf(host, id).at(-1)!;
      expect(again).toMatchObject({ isAttached: run.detach !== undefined, ending: { status: 'completed' } });
      expect(again.document.attempt).toBe(again.isAttached ? 1 : 2);
      const paused = find(log, 'training.started', -1).resumedFromStep;
      expectSame(log, whole, again.isAttached ? undefined : paused);
    });

    it.skipIf(!learnsFromRewards)(
      'learns from rewards, and from the same answers after it was killed',
      apart,
      async () => {
        const prompts = await host.test.upload(PROMPTS);
        const config = { ...SHORT, maxSteps: 4, method: BY_PROGRAM, ...settings };
        const begin = () =>
          host.test.create({ ...config, datasetSource: { type: 'upload', datasetId: prompts } });
        const { id } = await begin();
        const asked = await rewardSteps(host, id, 4);
        const undisturbed = await finish(id);
        const rewards = undisturbed.flatMap(event => (event.type === 'training.log' ? [event.reward] : []));
        expect(rewards).toEqual(asked.map(({ groups }) => expect.closeTo(meanReward(groups), 5)));
        const { id: killed } = await begin();
        const before = await rewardSteps(host, killed, 2);
        await until(async () => outline(await host.test.events(killed))).toMatch('saved 2');
        const { run } = runsOf(host, killed).at(-1)!;
        run.kill();
        await run.ended;
        const after = await rewardSteps(host, killed, 2);
        expect([...before, ...after]).toEqual(asked);
        expectSame(await finish(killed), undisturbed);
      },
    );

    it('says which row cannot be trained on', async () => {
      const id = await create({ ...SHORT, maxLength: 16, tooLong: 'error' });
      const { error } = await host.test.until(id, 'failed');
      expect(error).toMatch(/^rows\.jsonl, row 1: it has \d+ tokens, but the limit is 16/);
    });

    it('says why it failed, in the words of its engine', apart, async () => {
      const id = await create({ ...LONG, learningRate: 1e30, maxSteps: 50, warmupSteps: 0 });
      const { error } = await host.test.until(id, 'failed');
      expect(error).toMatch(
        /^The (?:loss|gradient) of step \d+ is not a finite number\. Try a lower learning rate\.$/,
      );
      const end = { type: 'end', status: 'failed' };
      expect((await readWhole(host, id)).slice(-2)).toMatchObject([{ type: 'training.failed', error }, end]);
      await until(() => endingsOf(id)).toEqual(['failed']);
    });
  });
}

const runsOf = ({ runs }: RunHost, id: string): WatchedRun[] =>
  runs.filter(({ document }) => document.jobId === id);

/** Once its last event is recorded, which is checked against the contract. */
async function readWhole({ test }: RunHost, id: string): Promise<JobEvent[]> {
  await until(async () => (await test.events(id)).at(-1)?.type).toBe('end');
  return (await test.events(id)).filter(({ type }) => type !== 'training.preparing');
}

const PROMPTS = Array.from({ length: 6 }, (_, i) =>
  JSON.stringify({ messages: [{ role: 'user', content: `say ${i}` }], number: i }),
).join('\n');

const BY_PROGRAM = { type: 'grpo', group: 3, maxTokens: 6, reward: { type: 'function' } } as const;

/** As long as it is, with a number from its row. */
const rewardOf = (item: Record<string, unknown>, text: string) => text.length + Number(item.number);

function meanReward(groups: PendingRewards['groups']): number {
  const all = groups.flatMap(({ item, answers }) => answers.map(({ text }) => rewardOf(item, text)));
  return all.reduce((sum, reward) => sum + reward, 0) / all.length;
}

/** As the program that started the job: the answers of its next steps. A run that begins again asks for some again. */
async function rewardSteps({ test }: RunHost, id: string, steps: number) {
  const path = `/v1/jobs/${id}/rewards`;
  const rewarded = new Map<string, PendingRewards>();
  while (rewarded.size < steps) {
    const { pending } = await test.json<{ pending: PendingRewards | null }>('GET', path);
    if (!pending) continue;
    const rewards = pending.groups.map(({ item, answers }) =>
      answers.map(({ text }) => ({ reward: rewardOf(item, text) })),
    );
    const { accepted } = await test.json<{ accepted: boolean }>('POST', path, { id: pending.id, rewards });
    if (accepted) rewarded.set(pending.id, pending);
  }
  return [...rewarded.values()];
}

type EventOf<T> = Extract<JobEvent, { type: T }>;

function find<T extends JobEvent['type']>(events: readonly JobEvent[], type: T, at = 0): EventOf<T> {
  return events.filter(event => event.type === type).at(at) as EventOf<T>;
}

/** The same log, but for where it was resumed, and the checkpoint of a pause. */
function expectSame(events: readonly JobEvent[], whole: readonly JobEvent[], pausedAt?: number): void {
  const facts = (all: readonly JobEvent[]) =>
    all.flatMap((event): unknown[] => {
      if (event.type === 'training.log') return [[event.step, event.loss, event.learningRate, event.epoch]];
      if (event.type !== 'checkpoint.saved' || event.step === pausedAt) return [];
      return [[event.step, event.artifacts.map(({ sha256 }) => sha256)]];
    });
  expect(facts(events)).toEqual(facts(whole));
  const adapter = (all: readonly JobEvent[]) => find(all, 'training.completed').artifacts.at(-1);
  expect(adapter(events)).toEqual(adapter(whole));
}

/** An attempt that is over can report again, and nobody listens. */
async function expectOver(host: RunHost, id: string): Promise<void> {
  const before = await host.test.events(id);
  const { desk, remote, document } = runsOf(host, id)[0]!;
  const timestamp = new Date().toISOString();
  await desk.record({ type: 'training.log', jobId: id, timestamp, step: 999_999, loss: 1 });
  if (remote?.claimToken) {
    const headers = { authorization: `Bearer ${remote.claimToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ worker: 'zombie', pid: 1, versions: {}, gpus: 0 });
    const url = `${host.url}/v1/runs/${id}/${document.attempt}/claim`;
    await until(async () => (await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
  }
  expect(await host.test.events(id)).toEqual(before);
}

type RunRecord = Pick<RunManifest, 'run'> & { rows: unknown[] };

async function readRecord({ test }: RunHost, id: string): Promise<RunRecord> {
  const { manifest } = await test.json<{ manifest: RunManifest }>('GET', `/v1/jobs/${id}/manifest`);
  const { rows } = await test.json<{ rows: unknown[] }>('GET', `/v1/jobs/${id}/rows`);
  return { run: manifest.run, rows };
}

async function readAdapter({ test }: RunHost, id: string, name: string) {
  const response = await test.call('GET', `/v1/jobs/${id}/artifacts/${name}`);
  expect(response.status).toBe(200);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const { path, content } of readTar(response.body! as unknown as AsyncIterable<Uint8Array>)) {
    hash.update(`${path}\0`);
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  }
  return { sha256: hash.digest('hex'), bytes };
}
