// How a client recognizes the local cloud, and what it sends to other processes.
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureLocalCloud, explainUnreachable, findLocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { startServer } from '../../engine/train/data/web-server.js';
import { type Home, openHome, startIdle } from './homes.js';

const SECRET = 'the secret of this home';

/** The responses of the process at the port, by path. */
let answers: Record<string, (url: URL) => unknown>;
const { url, port, requests } = await startServer((request, response) => {
  const asked = new URL(request.url!, 'http://localhost');
  const answer = answers[asked.pathname]?.(asked);
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ?? { error: { message: 'no' } }));
});

let home: Home;
let cloud: Parameters<Home['writeFile']>[0];
beforeEach(async () => {
  home = await openHome();
  answers = {};
  requests.length = 0;
  cloud = { url, port, pid: process.pid, version: 'x', secret: SECRET };
  await mkdir(home.folder, { recursive: true });
  await home.writeFile(cloud);
});
afterEach(async () => {
  answers = {};
  await home.close();
});

const prove =
  (secret: string, version = packageJson.version) =>
  (asked: URL) => ({
    version,
    baseModel: 'm',
    deploymentDomain: 'd',
    proof: createHmac('sha256', secret).update(asked.searchParams.get('nonce')!).digest('hex'),
  });

it('accepts a cloud that proves it knows the secret', async () => {
  answers['/v1/cloud'] = prove(SECRET);
  const about = { version: packageJson.version, baseModel: 'm', deploymentDomain: 'd' };
  expect(await findLocalCloud(home.path)).toMatchObject({ ...cloud, ...about });
});

it('returns the pid of the process that answered, not of an earlier one at the same port', async () => {
  answers['/v1/cloud'] = asked => {
    writeFileSync(`${home.folder}/cloud.json`, JSON.stringify({ ...cloud, pid: 4711 }));
    return prove(SECRET)(asked);
  };
  expect((await findLocalCloud(home.path))?.pid).toBe(4711);
});

it('requests a new proof each time and rejects a replayed one', async () => {
  answers['/v1/cloud'] = prove(SECRET);
  for (let i = 0; i < 3; i++) await findLocalCloud(home.path);
  expect(new Set(requests.map(request => request.url)).size).toBe(3);
  const first = new URL(requests[0]!.url!, 'http://x');
  answers['/v1/cloud'] = () => prove(SECRET)(first);
  expect(await findLocalCloud(home.path)).toBeNull();
});

it.each<[string, (asked: URL) => unknown]>([
  ['another secret', prove('the secret of another')],
  ['no proof', asked => ({ ...prove(SECRET)(asked), proof: null })],
  ['half a proof', asked => ({ ...prove(SECRET)(asked), proof: prove(SECRET)(asked).proof.slice(0, 32) })],
  ['an empty proof', asked => ({ ...prove(SECRET)(asked), proof: '' })],
  ['the nonce', asked => ({ ...prove(SECRET)(asked), proof: asked.searchParams.get('nonce') })],
  ['something else', () => 'hello'],
  ['an error', () => undefined],
])('rejects a process that answers with %s, and sends it no secret', async (_, answer) => {
  answers['/v1/cloud'] = answer;
  expect(await findLocalCloud(home.path)).toBeNull();
  expect(requests.map(request => `${request.method} ${request.url}`)).toEqual([
    expect.stringMatching(/^GET \/v1\/cloud\?nonce=[\da-f]{32}$/),
  ]);
  expect(JSON.stringify(requests[0]!.rawHeaders)).not.toMatch(/secret|authorization/i);
});

it.each([
  ['missing', undefined],
  ['invalid JSON', '{'],
  ['incomplete', '{"url":"http://localhost:1","port":1}'],
  ['for a remote URL', '{"url":"http://192.0.2.1:1","port":1,"pid":1,"version":"","secret":"s"}'],
])('finds no cloud and makes no request if the file is %s', async (_, content) => {
  const path = `${home.folder}/cloud.json`;
  await (content === undefined ? rm(path) : writeFile(path, content));
  expect(await findLocalCloud(home.path)).toBeNull();
  expect(requests).toEqual([]);
});

it('knows a cloud whose public name leads elsewhere by its process', () => {
  const file = { url: 'https://cloud.example', port: 4100, pid: process.pid, version: 'x', secret: SECRET };
  const fault = new Error('fetch failed', { cause: { code: 'ENOTFOUND' } });
  const look = { cloud: null, file, fault };
  expect(explainUnreachable(look)).toContain(
    'https://cloud.example cannot be reached from this machine: unknown host name. ',
  );
  expect(explainUnreachable({ cloud: null, file })).toContain(': another server answers there. ');
  expect(explainUnreachable({ ...look, file: { ...file, pid: 2 ** 22 } })).toBeNull();
  expect(explainUnreachable({ ...look, file: { ...file, url } })).toBeNull();
  expect(explainUnreachable({ cloud: null })).toBeNull();
});

it('does not replace an older cloud while it is busy, or a newer one', async () => {
  const { pid, isRunning } = await startIdle();
  await home.writeFile({ ...cloud, pid });
  const args = ['--base-model', '/no/such/model'];
  for (const [version, idle] of [
    ['0.0.9', false],
    ['99.0.0', true],
  ] as const) {
    // biome-ignore format: short
    answers['/v1/cloud'] = prove(SECRET, version);
    answers['/healthz'] = () => ({ status: 'ok', idle });
    expect(await ensureLocalCloud({ home: home.path, env: home.env, args })).toMatchObject({ version, pid });
    if (!idle) expect(requests.at(-1)!.headers['x-svc-cloud-secret']).toBe(SECRET);
  }
  expect(isRunning()).toBe(true);
});
