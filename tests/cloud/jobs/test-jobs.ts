// The jobs of a cloud in a temporary folder with a real database, called with Request and Response. Tests pass in the
// runner; callers are not authenticated.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '../../../lib/clock/index.js';
import type { Access } from '../../../lib/cloud/auth/authorize.js';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
import { createHealth, type Health } from '../../../lib/cloud/health.js';
import { createJobs, type Jobs } from '../../../lib/cloud/jobs/index.js';
import type { LeaseTimes } from '../../../lib/cloud/runs/remote-run.js';
import type { AnswerSample } from '../../../lib/cloud/seams/backend.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import { type Db, openWatchedStore, type Store, type StoreOptions } from '../../../lib/cloud/store/db.js';
import { readLog as readParts } from '../../../lib/cloud/store/events.js';
import {
  ApiError,
  type Job,
  type JobConfigInput,
  type JobEvent,
  type JobStatus,
  jobEvent,
  toFrames,
} from '../../../lib/contract/index.js';
import type { FileReader } from '../../../lib/engine/index.js';
import { createApp } from '../../../lib/http/index.js';
import { passUntil } from '../../support/pass-until.js';
import { createStoppedClock, type StoppedClock } from '../../support/stopped-clock.js';
import { until } from '../../support/until.js';
import type { VirtualClock } from '../../support/virtual-clock.js';
import { makeCloudFolder } from '../cloud-folder.js';
import { routesOf } from '../routes-of.js';
import { sharedFileReader as files } from '../shared-file-reader.js';

export const MODEL = 'svc/tiny';

export const scope = '?orgSlug=org-a&projectSlug=one';

export interface TestJobs {
  folder: string;
  db: Db;
  jobs: Jobs;
  health: Health;
  log: CloudLogLine[];
  /** Of a cloud without a clock of its own: tests may change the time of day. */
  clock: StoppedClock;
  fetch(request: Request): Promise<Response>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The body of a successful response. */
  json<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  upload(rows: string | Uint8Array<ArrayBuffer>, fileName?: string): Promise<string>;
  create(config?: Partial<JobConfigInput>, name?: string): Promise<Job>;
  /** Waits for this status and returns the job. */
  until(id: string, status: JobStatus): Promise<Job>;
  /** Resolves once this step is logged. */
  untilStep(id: string, step: number): Promise<void>;
  events(id: string): Promise<JobEvent[]>;
  /** Restarts the cloud on the same folder. */
  reopen(runner: JobRunner, how?: { graceMs?: number; killed?: boolean }): Promise<TestJobs>;
  close(): Promise<void>;
}

export interface TestOptions {
  concurrency?: number;
  modelFolder?: string;
  exposed?: boolean;
  uploadLimit?: number;
  /** Told which adapters were unloaded. */
  onUnload?: (sha256: string) => void;
  /** In whose time everything waits but the database, which is in a thread. */
  clock?: Clock | VirtualClock;
  /** Opens the database elsewhere. */
  openDatabase?: StoreOptions['open'];
  /** The precision of the base model's weights in PyTorch. */
  torchWeights?: 'int8' | 'nf4';
  /** Where workers elsewhere reach it, and how often they report. */
  workerUrl?: string;
  leaseTimes?: LeaseTimes;
  /** The cloud's folder; a new temporary one by default. */
  folder?: string;
  /** The folder already has data. */
  isThere?: boolean;
  answerSample?: AnswerSample;
  /** Wraps the database before anything uses it. */
  wrapDb?: (db: Db) => Db;
  /** Wraps the reader of files, in the same way. */
  wrapFiles?: (files: FileReader) => FileReader;
}

export async function openTestJobs(runner: JobRunner, options: TestOptions = {}): Promise<TestJobs> {
  const folder = options.folder ?? (await makeCloudFolder());
  const test = await open(folder, runner, options);
  if (!options.isThere) await addProjects(test.db);
  return test;
}

async function open(folder: string, runner: JobRunner, options: TestOptions): Promise<TestJobs> {
  const log: CloudLogLine[] = [];
  const addLine = (line: CloudLogLine) => log.push(line);
  const health = createHealth(addLine);
  const stopped = createStoppedClock();
  const { clock = stopped, openDatabase, uploadLimit, wrapDb = db => db } = options;
  const opening = openDatabase ? { open: openDatabase } : {};
  const store: Store = await openWatchedStore(join(folder, 'cloud.db'), health, clock, opening);
  const db = wrapDb(store.db);
  const { modelFolder = '/models/tiny', concurrency = 1, exposed = false, workerUrl, torchWeights } = options;
  const baseModel = { name: MODEL, folder: modelFolder };
  const backend = { unload: async (sha256: string) => options.onUnload?.(sha256) };
  const { answerSample, leaseTimes, wrapFiles = given => given } = options;
  const jobs = createJobs(
    {
      folder,
      baseModel,
      concurrency,
      exposed,
      workerUrl,
      torchWeights,
      log: addLine,
      runner,
      backend,
      health,
      clock,
    },
    db,
    trustingAccess(db),
    { files: wrapFiles(files), ...(answerSample && { answerSample }), ...(leaseTimes && { leaseTimes }) },
  );
  const app = createApp({ log: addLine, ...(uploadLimit !== undefined && { uploadLimit }) });
  app.mount(routesOf(jobs.handlers), jobs.handlers);

  const waitingFor = (id: string) => ({
    progress: async () => `event ${(await lastEvents(db, id, 1))[0]?.id ?? 0}`,
    beside: async () => (await lastEvents(db, id, 3)).map(({ data }) => JSON.parse(data)),
  });

  /** Lets virtual time pass meanwhile. */
  const inTime = (work: Promise<void>) => (isVirtual(clock) ? passUntil(clock, work) : work);

  const test: TestJobs = {
    folder,
    db,
    jobs,
    health,
    log,
    clock: stopped,
    fetch: app.fetch,
    call: (method, path, body, headers = {}) =>
      app.fetch(toRequest(method, path.includes('?') ? path : `${path}${scope}`, body, headers)),
    async json<Body>(method: string, path: string, body?: unknown) {
      const response = await test.call(method, path, body);
      if (!response.ok)
        expect.fail(`${method} ${path} answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as Body;
    },
    async upload(rows, fileName = 'rows.jsonl') {
      const headers = { 'x-filename': encodeURIComponent(fileName) };
      const response = await test.call('POST', '/v1/datasets', Buffer.from(rows), headers);
      expect(response.status).toBe(201);
      return ((await response.json()) as { dataset: { id: string } }).dataset.id;
    },
    async create(config = {}, name = 'a job') {
      const datasetSource = config.datasetSource ?? { type: 'huggingface', name: 'some/rows' };
      const body = { name, config: { model: MODEL, ...config, datasetSource } };
      return (await test.json<{ job: Job }>('POST', '/v1/jobs', body)).job;
    },
    async until(id, status) {
      let job: Job | undefined;
      await until(async () => {
        job = (await test.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;
        return job.status;
      }, waitingFor(id)).toBe(status);
      return job!;
    },
    async untilStep(id, step) {
      const row = db.selectFrom('jobs').select('step').where('id', '=', id);
      await until(async () => (await row.executeTakeFirst())?.step, waitingFor(id)).toBe(step);
    },
    events: id => readLog(db, id),
    async reopen(next, { graceMs = 10_000, killed = false } = {}) {
      if (!killed) await jobs.close(graceMs);
      await store.close();
      return open(folder, next, options);
    },
    async close() {
      await inTime(jobs.close(0));
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return test;
}

const isVirtual = (clock: Clock | VirtualClock): clock is VirtualClock => 'pass' in clock;

/** A job's log. Checks each event against the contract, and that there are no gaps in the numbering. */
async function readLog(db: Db, id: string): Promise<JobEvent[]> {
  const frames = toFrames(await readParts(db, id, 0, Number.MAX_SAFE_INTEGER));
  expect(frames.map(frame => frame.id)).toEqual(frames.map((_, index) => String(index + 1)));
  return frames.map(({ event: type, data }) => {
    const event = jobEvent.parse(JSON.parse(data)) as JobEvent;
    expect(event).toMatchObject({ type, jobId: id });
    return event;
  });
}

async function lastEvents(db: Db, id: string, most: number) {
  const { last_seq } = await db
    .selectFrom('jobs')
    .select('last_seq')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return toFrames(await readParts(db, id, last_seq - most, last_seq));
}

async function addProjects(db: Db): Promise<void> {
  const created_at = new Date().toISOString();
  for (const org of ['org-a', 'org-b']) {
    await db.insertInto('orgs').values({ id: org, slug: org, name: org, created_at }).execute();
    const of = (slug: string) => ({ id: `${org}/${slug}`, org_id: org, slug, name: slug, created_at });
    await db
      .insertInto('projects')
      .values([of('one'), of('two')])
      .execute();
  }
}

function trustingAccess(db: Db): Access {
  const caller = { identityId: 'somebody', mode: 'anonymous', subject: 'somebody' } as const;
  return {
    authenticate: async () => caller,
    async authorize(_, { orgSlug, projectSlug }) {
      const id = `${orgSlug}/${projectSlug}`;
      const found = await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst();
      if (!found) throw new ApiError('project_not_found', `There is no project ${id}.`);
      return { caller, orgId: orgSlug, projectId: id };
    },
  };
}

function toRequest(method: string, path: string, body: unknown, headers: Record<string, string>): Request {
  const url = `http://localhost${path}`;
  if (body === undefined) return new Request(url, { method, headers });
  const isRaw = body instanceof Uint8Array || body instanceof ReadableStream;
  return new Request(url, {
    method,
    headers: { 'content-type': isRaw ? 'application/octet-stream' : 'application/json', ...headers },
    body: isRaw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
    duplex: 'half',
  } as RequestInit);
}
