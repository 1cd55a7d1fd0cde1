// A database with two organizations and their jobs, and the deployment routes on top of it.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createModelResolver } from '../../../lib/cloud/answers/models.js';
import type { FindAdapter } from '../../../lib/cloud/artifacts/find-adapter.js';
import type { Access, ProjectScope } from '../../../lib/cloud/auth/authorize.js';
import {
  deploymentHandlers,
  keptRequestHandlers,
} from '../../../lib/cloud/deployments/deployment-handlers.js';
import { createRequestCounts } from '../../../lib/cloud/deployments/request-counts.js';
import type { CloudAddress } from '../../../lib/cloud/deps.js';
import { createKeptFile } from '../../../lib/cloud/kept-requests/kept-db.js';
import { createKeptRequests } from '../../../lib/cloud/kept-requests/kept-requests.js';
import { keyHandlers } from '../../../lib/cloud/keys/key-handlers.js';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import type { Tables } from '../../../lib/cloud/store/tables.js';
import { createAnswersFile } from '../../../lib/cloud/stored-answers/answers-db.js';
import { createStoredAnswers } from '../../../lib/cloud/stored-answers/stored-answers.js';
import { ApiError, type Deployment, type Key } from '../../../lib/contract/index.js';
import { createApp } from '../../../lib/http/index.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { makeCloudFolder } from '../cloud-folder.js';
import { routesOf } from '../routes-of.js';
import { openHere } from '../store/open-here.js';
import { HOST } from '../to-fetch.js';

export const BASE_MODEL = 'svc/tiny';
const AT = '2026-03-01T10:00:00.000Z';
const uuid = (number: number) => `1a2b3c4d-0000-4000-8000-00000000000${number}`;

/** `alpha` has a completed and a running job, both with a checkpoint at step 10. `beta` has a completed one. */
export const jobs = { done: uuid(1), running: uuid(2), foreign: uuid(3) };

const places: Record<string, Omit<ProjectScope, 'caller'>> = {
  'alpha/one': { orgId: 'org-a', projectId: 'project-a1' },
  'alpha/two': { orgId: 'org-a', projectId: 'project-a2' },
  'beta/one': { orgId: 'org-b', projectId: 'project-b1' },
};

export const access: Access = {
  authenticate: async () => ({ identityId: 'i', mode: 'anonymous', subject: 's' }),
  async authorize(request, { orgSlug, projectSlug }) {
    const place = places[`${orgSlug}/${projectSlug}`];
    if (!place) throw new ApiError('project_not_found', 'Not here.');
    return { caller: await access.authenticate(request), ...place };
  },
};

export const localAddress: CloudAddress = {
  url: `http://${HOST}`,
  deploymentDomain: HOST,
  names: ['localhost', '127.0.0.1', '[::1]'],
};

export type SampleCloud = Awaited<ReturnType<typeof openSampleCloud>>;

export async function openSampleCloud(
  address = localAddress,
  adapters = '/adapters',
  keptOptions: Partial<Parameters<typeof createKeptRequests>[1]> = {},
  storedOptions: Partial<Parameters<typeof createStoredAnswers>[1]> = {},
) {
  const folder = await makeCloudFolder();
  const db = await openDb(join(folder, 'cloud.db'));
  await db.transaction().execute(fill);
  const clock = createVirtualClock(Date.parse(AT));
  const deps = { address, log: console.error };
  /** What was logged about kept requests. */
  const keptLog: string[] = [];
  const kept = createKeptRequests(db, {
    ...{ folder, clock, file: createKeptFile(folder, openHere(clock)) },
    log: line => void keptLog.push(JSON.stringify(line)),
    ...keptOptions,
  });
  /** What was logged about stored answers. */
  const storedLog: string[] = [];
  const stored = createStoredAnswers(db, {
    ...{ folder, clock, file: createAnswersFile(folder, openHere(clock)) },
    log: line => void storedLog.push(JSON.stringify(line)),
    ...storedOptions,
  });
  const findAdapter = findIn(db, adapters);
  const models = createModelResolver({ baseModel: { name: BASE_MODEL }, findAdapter, load: async () => {} });
  const counts = createRequestCounts(clock);
  const deployments = deploymentHandlers({ db, access, models, deps, kept, stored, counts, clock });
  const requests = keptRequestHandlers({ db, access, kept });
  const keys = keyHandlers({ db, access, deps, stored, clock });
  const app = createApp({ log: line => console.error(line) })
    .mount(routesOf(deployments), deployments)
    .mount(routesOf(requests), requests)
    .mount(routesOf(keys), keys);

  const call = (
    method: string,
    path: string,
    body?: unknown,
    place = 'alpha/one',
    headers: Record<string, string> = {},
  ): Promise<Response> => {
    const [orgSlug, projectSlug] = place.split('/');
    const [pathname, query = ''] = path.split('?');
    const scope = `orgSlug=${orgSlug}&projectSlug=${projectSlug}`;
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
    const url = `http://localhost:4100/v1/endpoints${pathname}?${scope}&${query}`;
    return app.fetch(new Request(url, { method, ...(body !== undefined && json) }));
  };
  /** The same, and what it says: the answer, or the error. */
  const ask = async (...given: Parameters<typeof call>) => {
    const response = await call(...given);
    const { error, ...said } = (await response.json()) as Said & { error?: Refusal };
    const { status, headers } = response;
    return { status, retry: headers.get('x-should-retry'), ...said, ...(error as Refusal) };
  };
  return {
    ...{
      db,
      folder,
      kept,
      keptLog,
      stored,
      storedLog,
      counts,
      findAdapter,
      clock,
      fetch: app.fetch,
      call,
      ask,
    },
    /** Creates a deployment. */
    async publish(body: object, place?: string): Promise<Deployment> {
      const answer = await ask('POST', '', body, place);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer));
      return answer.deployment;
    },
    async issue({ id }: Pick<Deployment, 'id'>, label = 'ci') {
      return (await ask('POST', `/${id}/keys`, { label })).key;
    },
    async close() {
      await kept.close();
      await stored.close();
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the routes answer; a test knows which. */
interface Said {
  deployment: Deployment;
  deployments: Deployment[];
  key: Key & { plaintext: string };
  keys: Key[];
}

interface Refusal {
  code: string;
  param: string | null;
}

async function fill(db: Kysely<Tables>): Promise<void> {
  const named = (id: string, slug: string) => ({ id, slug, name: slug, created_at: AT });
  await db
    .insertInto('orgs')
    .values([named('org-a', 'alpha'), named('org-b', 'beta')])
    .execute();
  for (const [place, { orgId, projectId }] of Object.entries(places)) {
    const project = { ...named(projectId, place.split('/')[1]!), org_id: orgId };
    await db.insertInto('projects').values(project).execute();
  }
  await addJob(db, { id: jobs.done, number: 1, status: 'completed' });
  await addJob(db, { id: jobs.running, number: 2, status: 'running' });
  const foreign = { org_id: 'org-b', project_id: 'project-b1' };
  await addJob(db, { id: jobs.foreign, number: 3, status: 'completed', ...foreign });
}

async function addJob(
  db: Kysely<Tables>,
  job: Pick<Tables['jobs'], 'id' | 'number' | 'status'> & Partial<Tables['jobs']>,
): Promise<void> {
  const none = { error: null, step: null, total_steps: null, trainer: 'triage', tags: '[]' };
  const config = JSON.stringify({ model: BASE_MODEL });
  const owner = { org_id: 'org-a', project_id: 'project-a1', name: 'triage', config, created_at: AT };
  await db
    .insertInto('jobs')
    .values({ ...none, ...owner, artifact_count: 1, attempt: 1, last_seq: 0, ...job })
    .execute();
  const at = (step: number) => ({ job_id: job.id, bytes: 1, step, sha256: `${job.id}-${step}` });
  const checkpoint = { ...at(10), name: 'step-10', kind: 'checkpoint' } as const;
  const final = { ...at(20), name: 'final', kind: 'final' } as const;
  await db
    .insertInto('artifacts')
    .values(job.status === 'completed' ? [checkpoint, final] : [checkpoint])
    .execute();
}

function findIn(own: Db, adapters: string): FindAdapter {
  return async (orgId, ref, db = own) => {
    const found = await db
      .selectFrom('artifacts')
      .innerJoin('jobs', 'jobs.id', 'artifacts.job_id')
      .select(['artifacts.name', 'artifacts.sha256', 'artifacts.step'])
      .where('jobs.org_id', '=', orgId)
      .where('jobs.id', '=', ref.jobId)
      .where('artifacts.kind', '=', ref.kind)
      .$if(ref.kind === 'checkpoint', query =>
        query.where('artifacts.step', '=', ref.kind === 'checkpoint' ? ref.step : 0),
      )
      .executeTakeFirst();
    if (!found) throw new ApiError('target_not_found', 'There is no such adapter here.');
    const trainedOn = { model: BASE_MODEL, digest: null };
    const { sha256, step } = found;
    const folder = join(adapters, found.name);
    const health = { damage: null, noteDamage: async () => {}, verify: async () => true };
    return { folder, sha256, jobId: ref.jobId, step, trainedOn, ...health };
  };
}
