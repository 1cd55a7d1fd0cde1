// svc doctor, run for real on folders and ports of its own.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Check } from '../../cli/commands/doctor/check.js';
import { checkNode, checkRuntime } from '../../cli/commands/doctor/machine.js';
import { checkLoopback, checkPorts, findPorts } from '../../cli/commands/doctor/ports.js';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { runStudio } from '../../lib/studio/index.js';
import { ggufOfModel } from '../support/gguf-of-model.js';
import { openGoldenModel } from '../support/golden-models.js';
import { callCli } from './support/terminal.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (...names: string[]) => join(folder, ...names);
function write(name: string, content: string | object): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
}

async function callDoctor(env: Record<string, string> = {}) {
  const options = { env: { SVC_HOME: folder, ...env }, cwd: folder };
  const { exitCode, stdout } = await callCli(['doctor', '--json'], options);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { exitCode, checks: Object.fromEntries(checks.map(check => [check.name, check])) };
}

/** A server of another program. Returns its port. */
async function listen(answer: RequestListener = () => {}, port = 0): Promise<number> {
  const server = createServer(answer).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const ok = (message: unknown) => ({ status: 'ok', message });
const warning = (message: unknown, hint: unknown = expect.anything()) => ({
  status: 'warning',
  message,
  hint,
});
const problem = (message: unknown, hint: unknown = expect.anything()) => ({
  status: 'problem',
  message,
  hint,
});

describe('svc doctor', () => {
  it('finds nothing wrong in a new folder on a machine that can run svc', async () => {
    const { exitCode, checks } = await callDoctor();
    expect(exitCode).toBe(0);
    expect(Object.entries(checks)).toMatchObject([
      ['node', { name: 'node', ...ok(`Node ${process.versions.node}`), hint: null }],
      ['onnx-runtime', ok(expect.stringMatching(/^ONNX Runtime \d+\.\d+\.\d+ \(cpu/))],
      ['loopback', {}],
      ['studio-port', {}],
      ['cloud-port', {}],
      ['home', ok(folder)],
      ['cloud', { message: `local, not running (starts when needed); data in ${path('cloud')}` }],
      ['base-model', ok('svc/tiny-instruct (ships with svc)')],
      ['credentials', { status: 'ok' }],
      ['folder', ok(`${folder} is writable`)],
      ['project', { status: 'ok' }],
    ]);
    write('credentials.json', { clouds: {} });
    expect((await callDoctor()).checks.credentials).toMatchObject(ok(path('credentials.json')));
  });

  it('accepts files that begin with a byte order mark, as svc reads them', async () => {
    write('credentials.json', '\uFEFF{ "clouds": {} }');
    write('.svc/state.json', '\uFEFF{ "orgSlug": "acme", "projectSlug": "web", "projectId": "p" }');
    const { checks } = await callDoctor();
    expect(checks).toMatchObject({
      credentials: ok(path('credentials.json')),
      project: ok(path('.svc', 'state.json')),
    });
    const session = openSession({ folder, env: { SVC_HOME: folder } });
    expect(await session.state()).toMatchObject({ orgSlug: 'acme' });
  });

  it('reports files that cannot be parsed, without showing what stands in them, in a line and what to do below', async () => {
    write('credentials.json', '{ "token": secret-1 }');
    write('.svc/state.json', { orgSlug: 'secret-2', projectId: 'secret-3' });
    const { exitCode, checks } = await callDoctor();
    expect(exitCode).toBe(1);
    const hint = expect.stringContaining('svc never overwrites it');
    expect(checks).toMatchObject({
      credentials: problem(`${path('credentials.json')}: It is not valid JSON.`, hint),
      project: problem(`${path('.svc', 'state.json')}: \`projectSlug\` is required.`, hint),
    });
    expect(JSON.stringify(checks)).not.toContain('secret');
    const { stdout } = await callCli(['doctor'], { env: { SVC_HOME: folder }, cwd: folder });
    expect(stdout).toMatch(/^✔ ok {7}node {10}Node \d/m);
    expect(stdout).toMatch(/^✖ problem {2}credentials {3}.*\n {25}→ Fix the file/m);
  });

  it('says what the base model of the next start is, and whether it is there', async () => {
    const check = async (model: string) => {
      write('cloud/options.json', { 'base-model': model });
      return (await callDoctor({ OLLAMA_MODELS: folder })).checks['base-model'];
    };
    const file = path('tiny.gguf');
    writeFileSync(file, await ggufOfModel((await openGoldenModel('qwen3')).folder));
    const sized = (kind: string) => expect.stringMatching(new RegExp(` \\(${kind}, [\\d.]+ [kM]B\\)$`));
    expect(await check(file)).toMatchObject(ok(sized('GGUF file: qwen3, F32')));
    expect(await check(baseModelFolder())).toMatchObject(ok(sized('folder: llama, BF16')));
    expect(await check(folder)).toMatchObject(problem(expect.stringContaining('config.json cannot be read')));
    expect(await check('acme/tiny')).toMatchObject(ok('acme/tiny (Hugging Face Hub)'));
    writeFileSync(file, 'GGUF');
    const hint = 'Choose another one with "svc cloud start --base-model".';
    expect(await check(file)).toMatchObject(problem(expect.stringContaining('is truncated'), hint));
    expect(await check(path('gone'))).toMatchObject(
      problem(`There is no base model in ${path('gone')}.`, hint),
    );
    const missing = expect.stringContaining('Ollama has no model x on this machine');
    expect(await check('ollama:x')).toMatchObject(problem(missing, hint));
  });

  it('reports a home that is no folder, and a project folder that cannot be written', async () => {
    write('file', '');
    write('.svc', '');
    const { exitCode, checks } = await callDoctor({ SVC_HOME: path('file', 'home') });
    expect(exitCode).toBe(1);
    const inTheWay = (place: string, file: string) =>
      `${path(place)} cannot be written: the file ${path(file)} is in the way (ENOTDIR)`;
    expect(checks).toMatchObject({
      home: problem(inTheWay('file/home', 'file'), 'Move it, or set SVC_HOME to another folder.'),
      folder: problem(inTheWay('.svc', '.svc'), 'Move it, or work in another folder.'),
    });
  });

  it('warns of a taken port, which is no failure', async () => {
    const port = await listen();
    const { exitCode, checks } = await callDoctor({ SVC_CLOUD_PORT: String(port) });
    expect(exitCode).toBe(0);
    expect(checks['cloud-port']).toMatchObject(
      warning(`port ${port} for the local cloud is in use`, expect.stringContaining('SVC_CLOUD_PORT')),
    );
  });

  it('warns of the port that the cloud would take again, or on which it insists', async () => {
    const [last, remembered] = [await listen(), await listen()];
    const url = `http://localhost:${last}`;
    write('cloud/cloud.json', { url, port: last, pid: 123, version: '0.1.0', secret: 'x' });
    const taken = async () => (await callDoctor()).checks['cloud-port'];
    expect(await taken()).toMatchObject(
      warning(`port ${last} for the local cloud is in use`, expect.stringContaining('the old base URL')),
    );
    write('cloud/options.json', { port: String(remembered) });
    expect(await taken()).toMatchObject(
      warning(
        `port ${remembered} for the local cloud is in use`,
        expect.stringContaining('does not start on another one'),
      ),
    );
  });

  it('does not warn of the port that our own cloud holds, and says where its data is', async () => {
    const secret = 'of the cloud';
    const port = await listen((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://x');
      const nonce = searchParams.get('nonce') ?? '';
      const proof = createHmac('sha256', secret).update(nonce).digest('hex');
      const info = { version: '0.1.0', baseModel: 'svc/tiny', deploymentDomain: 'localhost', proof };
      const answer = pathname === '/healthz' ? { status: 'ok' } : info;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    const url = `http://127.0.0.1:${port}`;
    write('cloud/cloud.json', { url, port, pid: 123, version: '0.1.0', secret });
    const { checks } = await callDoctor({ SVC_CLOUD_PORT: String(port) });
    const data = `data in ${path('cloud')}`;
    expect(checks).toMatchObject({
      'cloud-port': ok(`port ${port} is in use by the local cloud`),
      cloud: { ...ok(`local, running at ${url} (version 0.1.0, process 123); ${data}`), hint: null },
    });
    expect(JSON.stringify(checks)).not.toContain(secret);
  });

  it('does not warn of the port that the Studio of this project holds', async () => {
    const port = await listen();
    write('.svc/studio.json', { url: `http://127.0.0.1:${port}`, token: 'secret-1', pid: process.pid });
    const { checks } = await callDoctor();
    const expected = { ...ok(`port ${port} is in use by Studio`), hint: null };
    expect(checks['studio-port']).toMatchObject(expected);
    expect(JSON.stringify(checks)).not.toContain('secret');
  });

  it("does not warn of the port that another project's Studio holds", async () => {
    mkdirSync(path('other'));
    const env = { SVC_HOME: folder };
    const other = { folder: path('other'), env };
    const studio = await runStudio({
      ...other,
      openSession: async () => openSession(other),
      ports: [0],
      log: () => {},
    });
    const [plan] = findPorts(env, { running: null, last: null, remembered: undefined }, null);
    const check = () => checkPorts([{ ...plan!, port: studio.port }]);
    const message = `port ${studio.port} is in use by another project's Studio; this project uses the next free one`;
    expect(await check()).toEqual([{ name: 'studio-port', ...ok(message), hint: null }]);
    await studio.close();
    await listen((_, response) => void response.end('Hello'), studio.port);
    const hint = 'Studio uses the next free port. To choose one, start it with --port.';
    expect(await check()).toMatchObject([{ status: 'warning', hint }]);
  });

  it.each([
    [
      'SVC_CLOUD_URL',
      'http://127.0.0.1:9',
      { cloud: warning(expect.stringContaining('Cannot reach the cloud at http://127.0.0.1:9')) },
    ],
    [
      'SVC_CLOUD_URL',
      'http://cloud.example',
      { cloud: problem(expect.stringContaining('SVC_CLOUD_URL: "http://cloud.example"')) },
    ],
    [
      'SVC_CLOUD_PORT',
      '4190',
      { 'cloud-port': problem('SVC_CLOUD_PORT is 4190: browsers and fetch refuse to call it') },
    ],
    ['SVC_CLOUD_PORT', 'http', { 'cloud-port': problem(expect.anything()) }],
  ])('tells what is wrong with %s=%s', async (name, value, expected) => {
    const { exitCode, checks } = await callDoctor({ [name]: value });
    expect(checks).toMatchObject(expected);
    expect(exitCode).toBe(JSON.stringify(expected).includes('warning') ? 0 : 1);
  });
});

describe('a check of the doctor', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
    ['20.9.0', 'problem'],
    ['18.20.8', 'problem'],
  ])('Node %s: %s', async (version, status) => {
    expect((await checkNode(version)).status).toBe(status);
  });

  it.each([
    ['does not load', "require('no-such-package')", "Error: Cannot find module 'no-such-package'"],
    ['dies', "process.kill(process.pid, 'SIGKILL')", 'its process was killed by SIGKILL'],
  ])('tells why ONNX Runtime %s', async (_, code, reason) => {
    const message = `ONNX Runtime failed to load: ${reason}`;
    expect(await checkRuntime(process.env, code)).toMatchObject(problem(message));
  });

  it.each([
    ['::1', 'warning'],
    ['127.0.0.1', 'problem'],
  ])('loopback without %s: %s', async (missing, status) => {
    const check = await checkLoopback(async host => (host === missing ? 'EADDRNOTAVAIL' : undefined));
    expect(check).toMatchObject({ status, message: expect.stringContaining('EADDRNOTAVAIL') });
  });
});
