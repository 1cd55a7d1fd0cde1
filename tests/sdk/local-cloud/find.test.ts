// How a client recognizes the local cloud, and what it sends to other processes.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureLocalCloud, findLocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Home, openHome } from './homes.js';

const SECRET = 'the secret of this home';

let home: Home;
let server: Server;
let requests: IncomingMessage[];
/** The responses of the process at the port, by path. */
let answers: Record<string, (url: URL) => unknown>;

beforeEach(async () => {
  home = await openHome();
  requests = [];
  answers = {};
  server = createServer((request, response) => {
    requests.push(request);
    const url = new URL(request.url!, 'http://localhost');
    const answer = answers[url.pathname]?.(url);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: { message: 'no' } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await mkdir(home.folder, { recursive: true });
  await home.writeFile({
    url: `http://127.0.0.1:${port}`,
    port,
    pid: process.pid,
    version: 'x',
    secret: SECRET,
  });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await home.close();
});

const prove =
  (secret: string, version = packageJson.version) =>
  (url: URL) => ({
    version,
    baseModel: 'm',
    deploymentDomain: 'd',
    proof: createHmac('sha256', secret).update(url.searchParams.get('nonce')!).digest('hex'),
  });

it('accepts a cloud that proves it knows the secret', async () => {
  answers['/v1/cloud'] = prove(SECRET);
  const { url } = await home.readFile();
  expect(await findLocalCloud(home.path)).toMatchObject({
    url,
    pid: process.pid,
    version: packageJson.version,
    secret: SECRET,
    baseModel: 'm',
    deploymentDomain: 'd',
  });
});

it('returns the pid of the process that answered, not of an earlier one at the same port', async () => {
  const before = await home.readFile();
  answers['/v1/cloud'] = url => {
    writeFileSync(`${home.folder}/cloud.json`, JSON.stringify({ ...before, pid: 4711 }));
    return prove(SECRET)(url);
  };
  expect((await findLocalCloud(home.path))?.pid).toBe(4711);
});

it('requests a new proof each time and rejects a replayed one', async () => {
  answers['/v1/cloud'] = prove(SECRET);
  for (let i = 0; i < 3; i++) await findLocalCloud(home.path);
  expect(new Set(requests.map(({ url }) => url)).size).toBe(3);
  const [first] = requests;
  answers['/v1/cloud'] = () => prove(SECRET)(new URL(first!.url!, 'http://x'));
  expect(await findLocalCloud(home.path)).toBeNull();
});

it.each<[string, (url: URL) => unknown]>([
  ['another secret', prove('the secret of another')],
  ['no proof', url => ({ ...prove(SECRET)(url), proof: null })],
  ['half a proof', url => ({ ...prove(SECRET)(url), proof: prove(SECRET)(url).proof.slice(0, 32) })],
  ['an empty proof', url => ({ ...prove(SECRET)(url), proof: '' })],
  ['the nonce', url => ({ ...prove(SECRET)(url), proof: url.searchParams.get('nonce') })],
  ['something else', () => 'hello'],
  ['an error', () => undefined],
])('rejects a process that answers with %s, and sends it no secret', async (_, answer) => {
  answers['/v1/cloud'] = answer;
  expect(await findLocalCloud(home.path)).toBeNull();
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    expect.stringMatching(/^GET \/v1\/cloud\?nonce=[\da-f]{32}$/),
  ]);
  expect(JSON.stringify(requests[0]!.rawHeaders)).not.toMatch(/secret|authorization/i);
});

it.each([
  ['missing', undefined],
  ['invalid JSON', '{'],
  ['incomplete', JSON.stringify({ url: 'http://localhost:1', port: 1 })],
  [
    'for a remote URL',
    JSON.stringify({ url: 'http://192.0.2.1:1', port: 1, pid: 1, version: '', secret: 's' }),
  ],
])('finds no cloud and makes no request if the file is %s', async (_, content) => {
  const path = `${home.folder}/cloud.json`;
  if (content === undefined) await rm(path);
  else await writeFile(path, content);
  expect(await findLocalCloud(home.path)).toBeNull();
  expect(requests).toEqual([]);
});

it('does not replace an older cloud while it is busy, or a newer one', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await home.writeFile({ ...(await home.readFile()), pid: other.pid! });
  answers['/v1/cloud'] = prove(SECRET, '0.0.9');
  answers['/healthz'] = () => ({ status: 'ok', idle: false });
  const ensure = () =>
    ensureLocalCloud({ home: home.path, env: home.env, args: ['--base-model', '/no/such/model'] });
  expect(await ensure()).toMatchObject({ version: '0.0.9', pid: other.pid });
  expect(requests.at(-1)!.headers['x-svc-cloud-secret']).toBe(SECRET);
  answers['/v1/cloud'] = prove(SECRET, '99.0.0');
  answers['/healthz'] = () => ({ status: 'ok', idle: true });
  expect(await ensure()).toMatchObject({ version: '99.0.0', pid: other.pid });
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill();
});
