// svc doctor, run for real on folders and ports of its own.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../cli/commands/doctor/check.js';
import { checkLoopback } from '../../cli/commands/doctor/loopback.js';
import { checkNode } from '../../cli/commands/doctor/node-version.js';
import { checkPorts, findPorts } from '../../cli/commands/doctor/port.js';
import { checkRuntime } from '../../cli/commands/doctor/runtime.js';
import { openSession } from '../../lib/sdk/index.js';
import { serveStudio } from '../../lib/studio/index.js';
import { callCli } from '../support/cli.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-doctor-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function callDoctor(env: Record<string, string> = {}) {
  const options = { env: { SVC_HOME: folder, ...env }, cwd: folder };
  const { exitCode, stdout } = await callCli(['doctor', '--json'], options);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { exitCode, checks: Object.fromEntries(checks.map(check => [check.name, check])) };
}

describe('svc doctor', () => {
  it('finds nothing wrong in a new folder on a machine that can run svc', async () => {
    const { exitCode, checks } = await callDoctor();
    expect(exitCode).toBe(0);
    expect(Object.keys(checks)).toEqual([
      'node',
      'onnx-runtime',
      'loopback',
      'studio-port',
      'cloud-port',
      'home',
      'cloud',
      'credentials',
      'folder',
      'project',
    ]);
    expect(checks.node).toEqual({
      name: 'node',
      status: 'ok',
      message: `Node ${process.versions.node}`,
      hint: null,
    });
    expect(checks['onnx-runtime']).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^ONNX Runtime \d+\.\d+\.\d+ \(cpu/),
    });
    expect(checks.home).toMatchObject({ status: 'ok', message: folder });
    expect(checks.credentials?.status).toBe('ok');
    expect(checks.folder).toMatchObject({ status: 'ok', message: `${folder} is writable` });
    expect(checks.project?.status).toBe('ok');
  });

  it('reports files that cannot be parsed, without showing what stands in them', async () => {
    await writeFile(join(folder, 'credentials.json'), '{ "token": secret-1 }');
    await mkdir(join(folder, '.svc'));
    await writeFile(join(folder, '.svc', 'state.json'), '{ "orgSlug": "secret-2", "projectId": "secret-3" }');
    const { exitCode, checks } = await callDoctor();
    expect(exitCode).toBe(1);
    expect(checks.credentials).toMatchObject({
      status: 'problem',
      message: `${join(folder, 'credentials.json')}: It is not valid JSON.`,
      hint: expect.stringContaining('svc never overwrites it'),
    });
    expect(checks.project).toMatchObject({
      status: 'problem',
      message: `${join(folder, '.svc', 'state.json')}: \`projectSlug\` is required.`,
      hint: expect.stringContaining('svc never overwrites it'),
    });
    expect(JSON.stringify(checks)).not.toContain('secret');
  });

  it('names the files that it found in order', async () => {
    await writeFile(join(folder, 'credentials.json'), '{ "clouds": {} }');
    const { exitCode, checks } = await callDoctor();
    expect(exitCode).toBe(0);
    expect(checks.credentials).toMatchObject({ status: 'ok', message: join(folder, 'credentials.json') });
  });

  it('reports a home that is no folder', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { exitCode, checks } = await callDoctor({ SVC_HOME: join(file, 'home') });
    expect(exitCode).toBe(1);
    expect(checks.home).toMatchObject({
      status: 'problem',
      message: `${join(file, 'home')} cannot be written: the file ${file} is in the way (ENOTDIR)`,
      hint: 'Move it, or set SVC_HOME to another folder.',
    });
  });

  it('reports a project folder that cannot be written', async () => {
    const file = join(folder, '.svc');
    await writeFile(file, '');
    const { exitCode, checks } = await callDoctor();
    expect(exitCode).toBe(1);
    expect(checks.folder).toEqual({
      name: 'folder',
      status: 'problem',
      message: `${file} cannot be written: the file ${file} is in the way (ENOTDIR)`,
      hint: 'Move it, or work in another folder.',
    });
  });

  it('warns of a taken port, which is no failure', async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { exitCode, checks } = await callDoctor({ SVC_CLOUD_PORT: String(port) });
    server.close();
    expect(exitCode).toBe(0);
    expect(checks['cloud-port']).toMatchObject({
      status: 'warning',
      message: `port ${port} for the local cloud is in use`,
      hint: expect.stringContaining('SVC_CLOUD_PORT'),
    });
  });

  it('does not warn of the port that our own cloud holds, and says where its data is', async () => {
    const secret = 'of the cloud';
    const server = createHttpServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://x');
      const proof = createHmac('sha256', secret)
        .update(searchParams.get('nonce') ?? '')
        .digest('hex');
      const info = { version: '0.1.0', baseModel: 'svc/tiny', deploymentDomain: 'localhost', proof };
      const answer = pathname === '/healthz' ? { status: 'ok' } : info;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    await mkdir(join(folder, 'cloud'));
    const file = { url, port, pid: 123, version: '0.1.0', secret };
    await writeFile(join(folder, 'cloud', 'cloud.json'), JSON.stringify(file));
    const { checks } = await callDoctor({ SVC_CLOUD_PORT: String(port) });
    await new Promise(resolve => server.close(resolve));
    expect(checks['cloud-port']).toMatchObject({
      status: 'ok',
      message: `port ${port} is in use by the local cloud`,
    });
    expect(checks.cloud).toEqual({
      name: 'cloud',
      status: 'ok',
      message: `local, running at ${url} (version 0.1.0, process 123); data in ${join(folder, 'cloud')}`,
      hint: null,
    });
    expect(JSON.stringify(checks)).not.toContain(secret);
  });

  it('does not warn of the port that the Studio of this project holds', async () => {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const file = { url: `http://127.0.0.1:${port}`, token: 'secret-1', pid: process.pid };
    await mkdir(join(folder, '.svc'));
    await writeFile(join(folder, '.svc', 'studio.json'), JSON.stringify(file));
    const { checks } = await callDoctor();
    server.close();
    expect(checks['studio-port']).toEqual({
      name: 'studio-port',
      status: 'ok',
      message: `port ${port} is in use by Studio`,
      hint: null,
    });
    expect(JSON.stringify(checks)).not.toContain('secret');
  });

  it('says where the data of a cloud will be that does not run', async () => {
    const { checks } = await callDoctor();
    expect(checks.cloud?.message).toBe(
      `local, not running (starts when needed); data in ${join(folder, 'cloud')}`,
    );
  });

  it("does not warn of the port that another project's Studio holds", async () => {
    const other = join(folder, 'other');
    await mkdir(other);
    const env = { SVC_HOME: folder };
    const session = openSession({ folder: other, env });
    const studio = await serveStudio({ session, env, ports: [0], log: () => {} });
    const [plan] = findPorts(env, null, null);
    expect(await checkPorts([{ ...plan!, port: studio.port }])).toEqual([
      {
        name: 'studio-port',
        status: 'ok',
        message: `port ${studio.port} is in use by another project's Studio; this project uses the next free one`,
        hint: null,
      },
    ]);
    await studio.close();
    const foreign = createHttpServer((_, response) => response.end('Hello')).listen(studio.port);
    await once(foreign, 'listening');
    expect(await checkPorts([{ ...plan!, port: studio.port }])).toMatchObject([
      { status: 'warning', hint: 'Studio uses the next free port. To choose one, start it with --port.' },
    ]);
    foreign.closeAllConnections();
    foreign.close();
  });

  it('warns of a cloud elsewhere that does not answer, and reports an address that is none', async () => {
    const silent = await callDoctor({ SVC_CLOUD_URL: 'http://127.0.0.1:9' });
    expect(silent.exitCode).toBe(0);
    expect(silent.checks.cloud).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('Cannot reach the cloud at http://127.0.0.1:9'),
    });
    const wrong = await callDoctor({ SVC_CLOUD_URL: 'http://cloud.example' });
    expect(wrong.exitCode).toBe(1);
    expect(wrong.checks.cloud).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('SVC_CLOUD_URL: "http://cloud.example"'),
    });
  });

  it('reports a cloud port that nobody can call', async () => {
    const { checks } = await callDoctor({ SVC_CLOUD_PORT: '4190' });
    expect(checks['cloud-port']).toMatchObject({
      status: 'problem',
      message: 'SVC_CLOUD_PORT is 4190: browsers and fetch refuse to call it',
    });
  });

  it('reports a cloud port that is no number', async () => {
    const { exitCode, checks } = await callDoctor({ SVC_CLOUD_PORT: 'http' });
    expect(exitCode).toBe(1);
    expect(checks['cloud-port']?.status).toBe('problem');
  });

  it('says each finding in a line, and what to do below it', async () => {
    await writeFile(join(folder, 'credentials.json'), 'x');
    const { stdout } = await callCli(['doctor'], { env: { SVC_HOME: folder }, cwd: folder });
    expect(stdout).toMatch(/^✔ ok {7}node {10}Node \d/m);
    expect(stdout).toMatch(/^✖ problem {2}credentials {3}.*\n {25}→ Fix the file/m);
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

  it('tells why ONNX Runtime does not load', async () => {
    const check = await checkRuntime(process.env, "require('no-such-package')");
    expect(check.status).toBe('problem');
    expect(check.message).toBe("ONNX Runtime failed to load: Error: Cannot find module 'no-such-package'");
  });

  it('survives that ONNX Runtime takes its process down', async () => {
    const check = await checkRuntime(process.env, "process.kill(process.pid, 'SIGKILL')");
    expect(check.status).toBe('problem');
    expect(check.message).toBe('ONNX Runtime failed to load: its process was killed by SIGKILL');
  });

  it.each([
    ['::1', 'warning'],
    ['127.0.0.1', 'problem'],
  ])('loopback without %s: %s', async (missing, status) => {
    const check = await checkLoopback(async host => (host === missing ? 'EADDRNOTAVAIL' : undefined));
    expect(check.status).toBe(status);
    expect(check.message).toContain('EADDRNOTAVAIL');
  });
});
