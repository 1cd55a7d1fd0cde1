// A listening cloud over real sockets, with requests as programs and attackers send them.
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCloudClient } from '../../../lib/client/index.js';
import { FolderOwnedError, openBaseModel, type ServedCloud, serveCloud } from '../../../lib/cloud/index.js';
import type { CloudFile } from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';

let model: string;
let folder: string;
let served: ServedCloud;

const serve = (options: Partial<Parameters<typeof serveCloud>[0]> = {}) =>
  serveCloud({
    folder,
    version: '1.2.3',
    baseModel: openBaseModel(model, 'test/model'),
    firstPort: 20_000 + (process.pid % 10_000),
    ...options,
  });

const cloudFile = async (at = folder) =>
  JSON.parse(await readFile(join(at, 'cloud.json'), 'utf8')) as CloudFile;

async function end(cloud: ServedCloud): Promise<void> {
  cloud.stop();
  expect(await cloud.ended).toBe('stopped');
}

beforeAll(async () => {
  model = await makeModelFolder();
  folder = await mkdtemp(join(tmpdir(), 'svc-serve-'));
  served = await serve();
});
afterAll(async () => {
  await end(served);
  for (const path of [model, folder]) await rm(path, { recursive: true });
});

async function send(path: string, headers: Record<string, string>) {
  const request = httpRequest({ port: served.port, host: '127.0.0.1', path, headers });
  request.on('error', () => {});
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { error } = (await json(response)) as { error?: { code: string } };
  return { status: response.statusCode, code: error?.code };
}

/** Sends these lines over a socket and returns the status line of the response. */
async function raw(...lines: string[]): Promise<string> {
  const socket = connect(served.port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0]!;
}

describe('over a socket', () => {
  it('answers on its own host names and refuses others before routing', async () => {
    for (const host of ['localhost', `127.0.0.1:${served.port}`, '[::1]:1'])
      expect(await send('/healthz', { host })).toMatchObject({ status: 200 });
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${served.port}/healthz`)).status).toBe(200);
    for (const host of ['evil.com', `localhost.evil.com:${served.port}`])
      for (const path of ['/healthz', '/nowhere', '/d/x/v1/chat/completions'])
        expect(await send(path, { host })).toMatchObject({ status: 403, code: 'host_not_allowed' });
  });

  it('checks the Host header of absolute-form requests and refuses a missing one', async () => {
    const ending = ['Connection: close'];
    expect(await raw('GET http://evil.com/healthz HTTP/1.1', 'Host: localhost', ...ending)).toContain(
      ' 200 ',
    );
    expect(await raw('GET http://localhost/healthz HTTP/1.1', 'Host: evil.com', ...ending)).toContain(
      ' 403 ',
    );
    expect(await raw('GET /healthz HTTP/1.1', 'Host:', ...ending)).toContain(' 403 ');
    expect(await raw('GET /healthz HTTP/1.0')).toContain(' 403 ');
    expect(await raw('GET http://localhost/healthz HTTP/1.0')).toContain(' 403 ');
    // Node's parser refuses this one, as the standard requires.
    expect(await raw('GET /healthz HTTP/1.1', ...ending)).toContain(' 400 ');
    expect(await raw('GET /healthz HTTP/1.1', 'Host: evil.com', 'Host: localhost', ...ending)).toContain(
      ' 403 ',
    );
  });

  it('answers a client that closes its side after its request', async () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.end('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*"status":"ok"/s);
  });

  it('creates no anonymous identity without the secret from cloud.json', async () => {
    const client = createCloudClient({ baseUrl: served.url });
    await expect(client.signUpAnonymously()).rejects.toMatchObject({ code: 'anonymous_disabled' });
    await expect(client.signUpAnonymously('guess')).rejects.toMatchObject({ code: 'anonymous_disabled' });
    const { token } = await client.signUpAnonymously((await cloudFile()).secret);
    await createCloudClient({ baseUrl: served.url, token }).getMe();
  });
});

describe('serving', () => {
  it('writes its URL to a file that only its user can read', async () => {
    expect(await cloudFile()).toEqual({
      url: `http://localhost:${served.port}`,
      port: served.port,
      pid: process.pid,
      version: '1.2.3',
      secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect((await stat(join(folder, 'cloud.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('refuses a folder that another cloud is using', async () => {
    await expect(serve()).rejects.toThrow(FolderOwnedError);
  });

  it('reuses its port and secret after a restart, unless the port is taken', async () => {
    const home = await mkdtemp(join(tmpdir(), 'svc-again-'));
    const first = await serve({ folder: home, firstPort: served.port });
    expect(first.port).not.toBe(served.port);
    const before = await cloudFile(home);
    await end(first);
    expect(await cloudFile(home)).toEqual(before);
    const second = await serve({ folder: home, firstPort: served.port + 300 });
    expect(second.port).toBe(first.port);
    await end(second);
    await writeFile(join(home, 'cloud.json'), JSON.stringify({ ...before, port: served.port }));
    const third = await serve({ folder: home });
    expect(third.port).not.toBe(served.port);
    expect((await cloudFile(home)).secret).toBe(before.secret);
    await end(third);
    await writeFile(join(home, 'cloud.json'), 'not JSON');
    await end(await serve({ folder: home }));
    expect((await cloudFile(home)).secret).not.toBe(before.secret);
    await rm(home, { recursive: true });
  });

  it('releases everything when it cannot start', async () => {
    const home = await mkdtemp(join(tmpdir(), 'svc-fail-'));
    await writeFile(join(home, 'cloud.db'), 'this is no database, and long enough to look at.'.repeat(100));
    const { port } = served;
    await expect(serve({ folder: home, port: port + 500 })).rejects.toThrow();
    await rm(join(home, 'cloud.db'));
    await expect(serve({ folder: home, port })).rejects.toThrow(`Port ${port} is in use.`);
    const cloud = await serve({ folder: home, port: port + 500 });
    expect(cloud.url).toBe(`http://localhost:${port + 500}`);
    await end(cloud);
    await rm(home, { recursive: true });
  });

  it('logs its URL at startup, but not its secret', async () => {
    const log = await readFile(served.logFile, 'utf8');
    expect(JSON.parse(log.split('\n')[0]!)).toMatchObject({ message: expect.stringContaining(served.url) });
    expect(log).not.toContain((await cloudFile()).secret);
  });
});
