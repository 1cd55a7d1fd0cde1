// A listening cloud over real sockets, with requests as programs and attackers send them, and how it repairs its
// data folder.
import * as fs from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCloudClient } from '../../../lib/client/index.js';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import { openBaseModel, type RunningCloud, runCloud } from '../../../lib/cloud/index.js';
import type { CloudFile } from '../../../lib/contract/index.js';
import { outputFileIn } from '../../../lib/system/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

let model: string;
beforeAll(async () => {
  model = await makeModelFolder();
});
afterAll(() => rm(model, { recursive: true }));

let folder: string;
let served: RunningCloud;

const serve = (options: Partial<Parameters<typeof runCloud>[0]> = {}) =>
  runCloud({
    folder,
    version: '1.2.3',
    baseModel: openBaseModel(model, 'test/model'),
    firstPort: 20_000 + (process.pid % 10_000),
    ...options,
  });

const cloudFile = async (at = folder) =>
  JSON.parse(await readFile(join(at, 'cloud.json'), 'utf8')) as CloudFile;

async function end(cloud: RunningCloud): Promise<void> {
  cloud.stop();
  expect(await cloud.ended).toBe('stopped');
}

describe('a cloud', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-serve-'));
    served = await serve();
  });
  afterAll(async () => {
    await end(served);
    await rm(folder, { recursive: true });
  });

  it.each(['localhost', '127.0.0.1', '[::1]'])('answers at %s', async host => {
    expect((await fetch(`http://${host}:${served.port}/healthz`)).status).toBe(200);
  });

  it.each<[status: number, lines: string[]]>([
    [200, ['GET http://evil.com/healthz HTTP/1.1', 'Host: localhost']],
    [403, ['GET http://localhost/healthz HTTP/1.1', 'Host: evil.com']],
    [403, ['GET /healthz HTTP/1.1', 'Host:']],
    [403, ['GET /healthz HTTP/1.0']],
    [403, ['GET http://localhost/healthz HTTP/1.0']],
    // Node's parser refuses this one, as the standard requires.
    [400, ['GET /healthz HTTP/1.1']],
    [403, ['GET /healthz HTTP/1.1', 'Host: evil.com', 'Host: localhost']],
  ])('goes by the Host header, with an absolute URL or without one: %i to %j', async (status, lines) => {
    const socket = connect(served.port, '127.0.0.1');
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('creates no anonymous identity without the secret from cloud.json', async () => {
    const client = createCloudClient({ baseUrl: served.url });
    for (const guess of [undefined, 'guess'])
      await expect(client.signUpAnonymously(guess)).rejects.toMatchObject({ code: 'anonymous_disabled' });
    const { token } = await client.signUpAnonymously((await cloudFile()).secret);
    await createCloudClient({ baseUrl: served.url, token }).getMe();
  });

  it('writes its URL to a file that only its user can read', async () => {
    expect(await cloudFile()).toEqual({
      url: `http://localhost:${served.port}`,
      port: served.port,
      pid: process.pid,
      version: '1.2.3',
      secret: expect.stringMatching(/^[\w-]{43}$/),
      modelFolder: expect.any(String),
    });
    expect((await stat(join(folder, 'cloud.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('refuses a folder that another cloud is using', async () => {
    await expect(serve()).rejects.toMatchObject({ code: 'folder_owned' });
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

describe('a running cloud, of which seconds pass at once,', () => {
  const clock = createVirtualClock();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-look-'));
    served = await serve({ clock });
  });
  afterEach(async () => {
    served.stop();
    await served.ended;
    await rm(folder, { recursive: true });
  });

  /** Looks again after each second of the cloud. */
  const untilMaintained = <T>(read: () => T) =>
    until(async () => {
      await clock.pass(1000);
      return read();
    });
  const outputOf = () => outputFileIn(folder);
  const cloudFile = () => join(folder, 'cloud.json');
  const content = () => fs.readFileSync(cloudFile(), 'utf8');
  const ofAnother = () => content().replace(/"port": \d+/, '"port": 1');
  type Line = Record<'at' | 'message', string> & { error?: string };
  const messages = () =>
    fs
      .readFileSync(served.logFile, 'utf8')
      .match(/.+/g)!
      .map((line): Line => JSON.parse(line));
  const lastMessage = () => messages().at(-1)?.message;

  it.each<[string, (path: string) => void]>([
    ['deleted', path => fs.rmSync(path)],
    ['truncated', path => fs.writeFileSync(path, content().slice(0, 20))],
    ['emptied', path => fs.writeFileSync(path, '')],
    ['overwritten with garbage', path => fs.writeFileSync(path, 'garbage \0')],
    ['replaced by that of another cloud', path => fs.writeFileSync(path, ofAnother())],
    [
      'replaced by a folder',
      path => {
        fs.rmSync(path);
        fs.mkdirSync(join(path, 'with', 'something'), { recursive: true });
      },
    ],
  ])('has its cloud.json restored when it was %s', async (_, damage) => {
    const before = content();
    damage(cloudFile());
    const isFile = () => fs.statSync(cloudFile(), { throwIfNoEntry: false })?.isFile();
    await untilMaintained(() => isFile() && content()).toBe(before);
    expect(fs.statSync(cloudFile()).mode & 0o777).toBe(0o600);
    await until(lastMessage).toBe('cloud.json was missing or changed and has been restored.');
  });

  it('acquires its lock again when its file was deleted, so no second cloud starts', async () => {
    fs.rmSync(join(folder, 'lock.db'));
    await untilMaintained(() => fs.existsSync(join(folder, 'lock.db'))).toBe(true);
    expect(() => ownFolder(folder)).toThrow('Another process owns');
  });

  it('stops when another cloud has taken its lock', async () => {
    fs.rmSync(join(folder, 'lock.db'));
    const other = ownFolder(folder);
    await clock.pass(1000);
    expect(await served.ended).toBe('crashed');
    const error = expect.stringContaining('another cloud owns the folder now');
    expect(messages().at(-1)).toMatchObject({ message: 'The cloud crashed.', error });
    other.release();
  });

  it('moves the output of its processes into the log as JSON lines with a timestamp', async () => {
    fs.appendFileSync(outputOf(), '(node:1) Warning: it is late\n    at somewhere\n');
    await untilMaintained(lastMessage).toBe('(node:1) Warning: it is late');
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    const error = '    at somewhere';
    expect(messages().at(-1)).toEqual({ at, message: '(node:1) Warning: it is late', error });
    await until(() => fs.statSync(outputOf()).size).toBe(0);
    fs.appendFileSync(outputOf(), 'and more\n');
    await untilMaintained(lastMessage).toBe('and more');
  });

  it('logs what was put out at the end of the previous cloud', async () => {
    served.stop();
    await served.ended;
    fs.appendFileSync(outputOf(), 'Killed\n');
    served = await serve({ clock });
    expect(messages().map(({ message }) => message)).toContain('Killed');
  });
});
