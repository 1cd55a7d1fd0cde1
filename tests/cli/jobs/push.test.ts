// svc jobs push, against a cloud in memory and a server with Ollama's API that does what a test scripts.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { describeGguf } from '../../../lib/engine/gguf/index.js';
import { toOllamaUrl } from '../../../lib/engine/local-models/ollama-server.js';
import { findFreePort } from '../../support/free-port.js';
import { listening } from '../../support/listening.js';
import { makeAdapterFolder, packAdapter } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { projectOfEach } from '../support/project.js';

let model: string;
let archive: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  model = await makeModelFolder();
  archive = await packAdapter(await makeAdapterFolder(join(model, 'adapter'), model));
});
afterAll(() => rm(model, { recursive: true }));

const project = projectOfEach({
  isLinked: true,
  routes: {
    downloadArtifact: () =>
      new Response(archive, { headers: { 'x-svc-base-model-digest': openBaseModel(model).digest! } }),
  },
});
beforeEach(() => {
  project.addJob({ name: 'Triage', config: { model: 'acme/tiny' } }).archives = { final: archive };
});

type Answer = (response: ServerResponse) => void;

const lines =
  (...documents: object[]): Answer =>
  response =>
    response.end(documents.map(document => `${JSON.stringify(document)}\n`).join(''));
const statuses = (...all: string[]) => lines(...all.map(status => ({ status })));
const refusing =
  (status: number, error: string): Answer =>
  response => {
    response.statusCode = status;
    response.end(JSON.stringify({ error }));
  };

/** `send` and `create` answer in place of what Ollama does. */
async function openOllama(script: { version?: Answer; send?: Answer; create?: Answer } = {}) {
  const blobs = new Map<string, Buffer>();
  const asked: string[] = [];
  const created: unknown[] = [];
  const server = createServer(async (request, response) => {
    const [, digest] = /^\/api\/blobs\/sha256:(\w{64})$/.exec(request.url!) ?? [];
    asked.push(`${request.method} ${request.url!.replace(/\w{64}/, '…')}`);
    if (request.url === '/api/version') {
      return script.version ? script.version(response) : response.end('{"version":"0.13.1"}');
    }
    if (request.url === '/api/create') {
      created.push(JSON.parse(await text(request)));
      const succeed = statuses('parsing GGUF', 'parsing GGUF', 'writing manifest', 'success');
      return (script.create ?? succeed)(response);
    }
    if (request.method === 'HEAD') {
      response.statusCode = blobs.has(digest!) ? 200 : 404;
      return response.end();
    }
    if (script.send) return script.send(response);
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece as Buffer);
    const bytes = Buffer.concat(body);
    const isWhole = bytes.length === Number(request.headers['content-length']);
    if (!isWhole || createHash('sha256').update(bytes).digest('hex') !== digest)
      return refusing(400, 'digest mismatch')(response);
    blobs.set(digest!, bytes);
    response.statusCode = 201;
    return response.end();
  });
  return { url: await listening(server), blobs, asked, created };
}

async function push(host: string, ...options: string[]) {
  const temporary = temporaryFolder('svc-push-test');
  const words = ['jobs', 'push', '1a2b', 'ollama:me/triage:v2', '--base-model', model, ...options];
  vi.stubEnv('TMPDIR', temporary);
  const result = await project.svc(words, { env: { OLLAMA_HOST: host } });
  vi.unstubAllEnvs();
  expect(readdirSync(temporary)).toEqual([]);
  return result;
}

const MERGING = 'Merging the adapter into its base model, as GGUF…\n';
const QUARTERS = [25, 50, 75, 100];
const WRITING = QUARTERS.map(percent => `Writing: ${percent}%\n`).join('');
const SENT = 'Sending to Ollama: 100%\n';

it('sends the merged model by its digest, and makes a model of it', async () => {
  const { url, blobs, asked, created } = await openOllama();
  expect(await push(url, '--quantize', 'q8_0')).toEqual({
    exitCode: 0,
    stdout:
      'Ollama has me/triage:v2: final adapter merged into its base model.\nTo chat with it, run: ollama run me/triage:v2\n',
    stderr: `${MERGING}${WRITING}${SENT}Ollama: parsing GGUF\nOllama: writing manifest\nOllama: success\n`,
  });
  const blob = ['HEAD', 'POST'].map(method => `${method} /api/blobs/sha256:…`);
  expect(asked).toEqual(['GET /api/version', ...blob, 'POST /api/create']);
  const [[digest, bytes]] = [...blobs] as [[string, Buffer]];
  expect(created).toEqual([
    {
      model: 'me/triage:v2',
      files: { 'model.gguf': `sha256:${digest}` },
      template: expect.stringContaining('<|im_start|>assistant\n{{ end }}'),
      parameters: { stop: ['<|endoftext|>', '<|im_end|>'] },
      stream: true,
    },
  ]);
  await writeFile(project.path('blob.gguf'), bytes);
  expect((await describeGguf(project.path('blob.gguf'))).formats).toContain('Q8_0');
});

it('sends a file that Ollama has no second time', async () => {
  const { url, asked } = await openOllama();
  await push(url);
  asked.length = 0;
  const { stdout, stderr } = await push(url, '--json');
  expect(asked).toEqual(['GET /api/version', 'HEAD /api/blobs/sha256:…', 'POST /api/create']);
  expect(stderr).not.toContain('Sending');
  expect(JSON.parse(stdout)).toMatchObject({ artifact: { name: 'final' }, model: 'me/triage:v2' });
});

it('says before it merges that Ollama is not running, or that something else answers', async () => {
  const url = `127.0.0.1:${await findFreePort()}`;
  expect(await push(url)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `svc: Ollama is not running at http://${url}. Start it with "ollama serve", or set OLLAMA_HOST to its address.\n`,
  });
  const { url: other } = await openOllama({ version: refusing(404, 'what?') });
  expect((await push(other)).stderr).toBe(
    `svc: ${other} is not Ollama: it answered 404. Set OLLAMA_HOST to Ollama's address.\n`,
  );
});

const cutOff: Answer = response => {
  response.write('{"status":"parsing GGUF"}\n', () => response.destroy());
};
const ENDED = 'ended before the model was made. Try again: it keeps the file that was sent.';

it.each<[string, Parameters<typeof openOllama>[0], string]>([
  ['refuses the file', { send: refusing(400, 'invalid digest') }, 'Ollama refused: invalid digest'],
  ['cuts the connection', { send: response => response.destroy() }, 'The connection to Ollama at URL failed'],
  [
    'refuses the model',
    { create: refusing(400, 'invalid model name') },
    'Ollama refused: invalid model name',
  ],
  ['fails', { create: lines({ error: 'no space left' }) }, 'Ollama could not make the model: no space left'],
  ['stops half done', { create: statuses('parsing GGUF') }, `Ollama at URL ${ENDED}`],
  ['dies', { create: cutOff }, `Ollama at URL ${ENDED}`],
  ['answers something else', { create: response => response.end('<html>') }, `Ollama at URL ${ENDED}`],
])('says so if Ollama %s', async (_, script, problem) => {
  const { url } = await openOllama(script);
  const { exitCode, stdout, stderr } = await push(url);
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`svc: ${problem.replace('URL', url)}`);
});

it('says what to do where there is no room for temporary files', async () => {
  const { url } = await openOllama();
  vi.stubEnv('TMPDIR', import.meta.filename);
  const words = ['jobs', 'push', '1a2b', 'ollama:triage', '--base-model', model];
  const { exitCode, stderr } = await project
    .svc(words, { env: { OLLAMA_HOST: url } })
    .finally(() => vi.unstubAllEnvs());
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`${import.meta.filename} cannot be written: the file`);
  expect(stderr).toContain('or set TMPDIR to another folder.');
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'ends with %s, and leaves nothing on the disk',
  async signal => {
    const temporary = temporaryFolder('svc-push-test');
    vi.stubEnv('TMPDIR', temporary);
    const { url } = await openOllama({ create: () => call.signal(signal) });
    const words = ['jobs', 'push', '1a2b', 'ollama:triage', '--base-model', model];
    const call = project.start(words, { env: { OLLAMA_HOST: url } });
    expect(await call.done).toMatchObject({ exitCode: 130, stdout: '' });
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toEqual([]);
  },
);

it.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  [':8000', 'http://127.0.0.1:8000'],
  ['box:80', 'http://box'],
  ['[::]:5', 'http://[::1]:5'],
  ['::', 'http://[::1]:11434'],
  ['fd00::5', 'http://[fd00::5]:11434'],
  ['http://box', 'http://box'],
  ['https://box/models/', 'https://box/models'],
])('the address %j is %s', (host, url) => {
  expect(toOllamaUrl(host)).toBe(url);
});

it('an address that is none is an error', () => {
  expect(() => toOllamaUrl('a b')).toThrow('OLLAMA_HOST is not an address: a b');
});
