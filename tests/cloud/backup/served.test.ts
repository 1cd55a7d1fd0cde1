// A backup of a served cloud while a real trainer runs, and a second cloud served on the restored data.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import { readCloudFile } from '../../../lib/cloud/host/maintain-folder.js';
import { openBaseModel, type RunningCloud, runCloud } from '../../../lib/cloud/index.js';
import {
  type AdapterRef,
  type ChatCompletion,
  type DatasetSource,
  type JobEvent,
  type JobInput,
  jobEvent,
} from '../../../lib/contract/index.js';
import { callCli } from '../../cli/support/terminal.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';

const MODEL = 'test/model';
const ROWS = '{"prompt":"say it","completion":" it is said"}\n'.repeat(4);
const QUESTION = { messages: [{ role: 'user' as const, content: 'say it' }], temperature: 0 };
const TOKENS = 12;

const place = temporaryFolder('svc-served-backup');
let modelFolder: string;
const clouds: RunningCloud[] = [];
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterAll(async () => {
  for (const cloud of clouds) cloud.stop();
  for (const cloud of clouds) await cloud.ended;
  await rm(modelFolder, { recursive: true });
});

const svc = (...words: string[]) => callCli(['cloud', ...words]);

async function serve(folder: string): Promise<RunningCloud> {
  const baseModel = openBaseModel(modelFolder, MODEL);
  const firstPort = 30_000 + (process.pid % 10_000);
  const cloud = await runCloud({ folder, version: '1.2.3', baseModel, firstPort });
  clouds.push(cloud);
  return cloud;
}

/** Signs up a user with a project. Their token works on any cloud that has the data. */
async function signUp({ url }: RunningCloud, folder: string) {
  const { secret } = readCloudFile(folder)!;
  const { token, personalOrg } = await createCloudClient({ baseUrl: url }).signUpAnonymously(secret);
  const scope = { orgSlug: personalOrg.slug, projectSlug: 'mine' };
  const project = { name: 'Mine', slug: 'mine' };
  await createCloudClient({ baseUrl: url, token }).createProject(scope.orgSlug, project);
  return ({ url }: RunningCloud) => createCloudClient({ baseUrl: url, token, scope });
}

const toJob = (datasetSource: DatasetSource, maxSteps: number): JobInput => ({
  name: 'a job',
  config: { model: MODEL, datasetSource, maxSteps, saveSteps: 5, batchSize: 2, learningRate: 0.01 },
});

/** A job's events up to the first for which `isLast` is true. */
async function follow(client: CloudClient, id: string, isLast: (event: JobEvent) => boolean) {
  const events: JobEvent[] = [];
  for await (const { data } of client.streamJobEvents(id)) {
    const event = jobEvent.parse(JSON.parse(data)) as JobEvent;
    events.push(event);
    if (isLast(event)) return events;
  }
  return events;
}

async function askDeployment(client: CloudClient, apiKey: string): Promise<ChatCompletion> {
  const { pathUrl } = (await client.listDeployments()).deployments[0]!;
  const response = await fetch(`${pathUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ model: 'any', ...QUESTION, max_tokens: TOKENS }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as ChatCompletion;
}

type Saved = Extract<JobEvent, { type: 'checkpoint.saved' }>;

const said = ({ choices, system_fingerprint }: ChatCompletion) => ({
  text: choices[0]!.message.content,
  system_fingerprint,
});
const isSaved = (event: JobEvent): event is Saved => event.type === 'checkpoint.saved';
const losses = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [[event.step, event.loss]] : []));

it('a restored cloud gives the same answers and resumes a running job with the same losses', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const folder = join(place, 'original');
  const original = await serve(folder);
  const toClient = await signUp(original, folder);
  const client = toClient(original);
  const { dataset } = await client.uploadDataset('rows.jsonl', new TextEncoder().encode(ROWS));
  const source: DatasetSource = { type: 'upload', datasetId: dataset.id };

  const { job } = await client.createJob(toJob(source, 10));
  expect((await follow(client, job.id, () => false)).at(-1)).toMatchObject({ status: 'completed' });
  const final: AdapterRef = { kind: 'final', jobId: job.id };
  const target = { kind: 'adapter', adapter: final } as const;
  const endpoint = { slug: 'my-bot', target, authMode: 'fixed_api_key' } as const;
  const { deployment } = await client.createDeployment(endpoint);
  const { key } = await client.issueDeploymentKey(deployment.id, 'app');
  const ask = async (asked: CloudClient) => {
    const chat = async (adapter: AdapterRef) =>
      said(await asked.chat({ ...QUESTION, maxTokens: TOKENS, adapter }));
    const checkpoint: AdapterRef = { kind: 'checkpoint', jobId: job.id, step: 5 };
    return [said(await askDeployment(asked, key.plaintext)), await chat(final), await chat(checkpoint)];
  };
  const answers = await ask(client);
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[1]).not.toEqual(answers[2]);

  const { job: long } = await client.createJob(toJob(source, 100_000));
  await follow(client, long.id, isSaved);
  const file = join(place, 'cloud.tar');
  expect(await svc('backup', file, '--data', folder)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await client.getJob(long.id)).job.status).toBe('running');
  const elsewhere = join(place, 'restored');
  expect(await svc('restore', file, '--data', elsewhere)).toMatchObject({ exitCode: 0, stderr: '' });

  const copy = toClient(await serve(elsewhere));
  expect(await ask(copy)).toEqual(answers);
  let resumed = 0;
  const heirs = await follow(copy, long.id, event => {
    if (event.type === 'training.started') resumed = event.resumedFromStep ?? 0;
    return resumed > 0 && isSaved(event) && event.step > resumed;
  });
  expect(resumed).toBeGreaterThan(0);
  const saved = heirs.at(-1) as Saved;
  const own = await follow(client, long.id, event => isSaved(event) && event.step === saved.step);
  expect(losses(heirs)).toEqual(losses(own));
  expect(losses(own)).toHaveLength(saved.step);
  expect(own.at(-1)).toMatchObject({ artifacts: saved.artifacts });
  for (const cloud of [client, copy]) await cloud.cancelJob(long.id);
});
