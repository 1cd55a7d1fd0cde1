// The real thing to fuzz: a cloud with its engine and a Studio, as processes of their own in a temporary home.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createCloudClient } from '../../lib/client/index.js';
import {
  edgeRoutes,
  OPENAI_PATH,
  OPERATION_NAMES,
  openAiRoutes,
  STUDIO_TOKEN_HEADER,
  studioFile,
  toOpenApi,
} from '../../lib/contract/index.js';
import { openSession } from '../../lib/sdk/index.js';
import type { Surface } from './requests.js';

export interface Place {
  surfaces: { port: number; surface: Surface }[];
  /** Of the endpoint that the other chat goes to, and no request deletes. */
  chatUrl: string;
  close(): Promise<void>;
}

const BIN = join(import.meta.dirname, '../../dist/cli/bin.js');
const ENTRY = `import { createService, createTrainer } from 'svc';
export const service = createService({ trainer: createTrainer({ name: 'fuzz', dataset: 'data/rows.jsonl' }) });
`;

export async function openPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), 'svc-fuzz-'));
  const [folder, home] = [join(root, 'project'), join(root, 'home')];
  const env = { ...process.env, SVC_HOME: home, SVC_CLOUD_URL: undefined };
  await mkdir(join(folder, 'src', 'svc'), { recursive: true });
  await writeFile(join(folder, 'src', 'svc', 'index.ts'), ENTRY);
  const run = (...args: string[]) =>
    spawn(process.execPath, [BIN, ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await ended(run('cloud', 'start'));
  const studio = run('dev', '--no-tui');
  const close = async () => {
    studio.kill('SIGTERM');
    await ended(studio);
    await ended(run('cloud', 'stop'));
    await rm(root, { recursive: true, force: true });
  };
  try {
    return { ...(await describe(folder, env)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function describe(folder: string, env: NodeJS.ProcessEnv): Promise<Omit<Place, 'close'>> {
  const session = openSession({ folder, env });
  const who = await session.ensureIdentity();
  if (who.mode !== 'anonymous') throw new Error('A new home has an anonymous identity.');
  const { url } = await session.reach();
  const scope = await session.ensureProject();
  const client = createCloudClient({ baseUrl: url, token: who.token, scope });
  const target = { kind: 'base_model', baseModel: who.baseModel } as const;
  const offer = { operations: OPERATION_NAMES, corsOrigins: ['https://app.example.com'] };
  const [, open] = await Promise.all(
    ['fuzz-chat', 'fuzz-open'].map(slug =>
      client.createDeployment({ slug, target, authMode: 'none', ...offer }),
    ),
  );
  const { key } = await client.issueDeploymentKey(open!.deployment.id, 'fuzz');
  const { key: projectKey } = await client.issueProjectKey('fuzz');
  const { dataset } = await client.uploadDataset('rows.jsonl', '{"text":"hello"}\n');
  const config = { model: who.baseModel, datasetSource: { type: 'upload' as const, datasetId: dataset.id } };
  const { job } = await client.createJob({ name: 'fuzz', config: { ...config, maxSteps: 1 } });
  await client.cancelJob(job.id);
  const fileId = await uploadFile(url, projectKey.plaintext);
  const known = {
    orgSlug: [scope.orgSlug],
    projectSlug: [scope.projectSlug],
    after: ['0', '1', '99'],
    name: ['final', 'checkpoint-1'],
    keyId: [key.id],
    nonce: ['n'],
  };
  const { port } = new URL(url);
  const host = `localhost:${port}`;
  const cloud: Surface = {
    document: withoutOthers((await client.getOpenApi()) as Surface['document']),
    host,
    credentials: [['authorization', `Bearer ${who.token}`]],
    known: { ...known, id: [job.id, open!.deployment.id] },
  };
  const edge: Surface = {
    document: toOpenApi(edgeRoutes, { title: 'edge', version: '1' }),
    host: `fuzz-open.${host}`,
    credentials: [['origin', 'https://app.example.com']],
    known: { id: [who.baseModel] },
  };
  const project: Surface = {
    document: toOpenApi(openAiRoutes, { title: 'project', version: '1' }),
    host,
    credentials: [['authorization', `Bearer ${projectKey.plaintext}`]],
    known: { id: [fileId, job.id], model: [who.baseModel], purpose: ['fine-tune'], order: ['asc', 'desc'] },
  };
  const { surface: studio, port: studioPort } = await describeStudio(folder, {
    ...known,
    id: cloud.known.id!,
  });
  return {
    surfaces: [
      { port: Number(port), surface: cloud },
      { port: Number(port), surface: project },
      { port: Number(port), surface: edge },
      { port: Number(port), surface: { ...edge, host, prefix: '/d/fuzz-open' } },
      { port: studioPort, surface: studio },
    ],
    chatUrl: `${url}/d/fuzz-chat/v1/chat/completions`,
  };
}

async function uploadFile(url: string, key: string): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'fine-tune');
  form.append('file', new File(['{"text":"hello"}\n'], 'rows.jsonl'));
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}${OPENAI_PATH}/files`, { method: 'POST', headers, body: form });
  return ((await response.json()) as { id: string }).id;
}

async function describeStudio(
  folder: string,
  known: Surface['known'],
): Promise<{ surface: Surface; port: number }> {
  const file = await readSoon(join(folder, '.svc', 'studio.json'));
  const { url, token } = studioFile.parse(JSON.parse(file));
  const headers = { [STUDIO_TOKEN_HEADER]: token };
  const document = (await (
    await fetch(`${url}/api/openapi.json`, { headers })
  ).json()) as Surface['document'];
  const port = Number(new URL(url).port);
  return {
    surface: { document, host: `localhost:${port}`, credentials: Object.entries(headers), known },
    port,
  };
}

const STARTS_WITHIN_MS = 60_000;

async function readSoon(path: string): Promise<string> {
  for (const end = performance.now() + STARTS_WITHIN_MS; ; ) {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(100);
    }
  }
}

/** Endpoints have an address of their own, and projects a key of their own: they are surfaces of their own. */
function withoutOthers(document: Surface['document']): Surface['document'] {
  const paths = Object.entries(document.paths as Record<string, { servers?: unknown }>);
  return {
    ...document,
    paths: Object.fromEntries(paths.filter(([path, item]) => !item.servers && !path.startsWith(OPENAI_PATH))),
  };
}
