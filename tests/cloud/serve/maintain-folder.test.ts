// How a running cloud repairs its data folder: a real cloud, and seconds that pass at once.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import { FolderOwnedError, openBaseModel, type ServedCloud, serveCloud } from '../../../lib/cloud/index.js';
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
let served: ServedCloud;
const clock = createVirtualClock();
const serve = () =>
  serveCloud({
    folder,
    version: '1.2.3',
    baseModel: openBaseModel(model, 'test/model'),
    firstPort: 20_000 + (process.pid % 10_000),
    clock,
  });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-look-'));
  served = await serve();
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
const content = () => readFileSync(cloudFile(), 'utf8');
const messages = () =>
  readFileSync(served.logFile, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { at: string; message: string; error?: string });

describe('cloud.json of a running cloud', () => {
  it.each<[string, (path: string) => void]>([
    ['deleted', path => rmSync(path)],
    ['truncated', path => writeFileSync(path, content().slice(0, 20))],
    ['emptied', path => writeFileSync(path, '')],
    ['overwritten with garbage', path => writeFileSync(path, 'garbage \0')],
    [
      'replaced by that of another cloud',
      path => writeFileSync(path, content().replace(/"port": \d+/, '"port": 1')),
    ],
    [
      'replaced by a folder',
      path => {
        rmSync(path);
        mkdirSync(join(path, 'with', 'something'), { recursive: true });
      },
    ],
  ])('is restored when it was %s', async (_, damage) => {
    const before = content();
    damage(cloudFile());
    await untilMaintained(() => statSync(cloudFile(), { throwIfNoEntry: false })?.isFile() && content()).toBe(
      before,
    );
    expect(statSync(cloudFile()).mode & 0o777).toBe(0o600);
    await until(() => messages().at(-1)?.message).toBe(
      'cloud.json was missing or changed and has been restored.',
    );
  });
});

describe('the lock of a running cloud', () => {
  it('is acquired again when its file was deleted, so no second cloud starts', async () => {
    rmSync(join(folder, 'lock.db'));
    await untilMaintained(() => existsSync(join(folder, 'lock.db'))).toBe(true);
    expect(() => ownFolder(folder)).toThrow(FolderOwnedError);
  });

  it('stops the cloud when another cloud has taken it', async () => {
    rmSync(join(folder, 'lock.db'));
    const other = ownFolder(folder);
    await clock.pass(1000);
    expect(await served.ended).toBe('crashed');
    expect(messages().at(-1)).toMatchObject({
      message: 'The cloud crashed.',
      error: expect.stringContaining('another cloud owns the folder now'),
    });
    other.release();
  });
});

describe("the output of a cloud's processes", () => {
  it('is moved into the log as JSON lines with a timestamp', async () => {
    appendFileSync(outputOf(), '(node:1) Warning: it is late\n    at somewhere\n');
    await untilMaintained(() => messages().at(-1)?.message).toBe('(node:1) Warning: it is late');
    expect(messages().at(-1)).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      message: '(node:1) Warning: it is late',
      error: '    at somewhere',
    });
    await until(() => statSync(outputOf()).size).toBe(0);
    appendFileSync(outputOf(), 'and more\n');
    await untilMaintained(() => messages().at(-1)?.message).toBe('and more');
  });

  it('of the previous cloud is logged by the next one', async () => {
    served.stop();
    await served.ended;
    appendFileSync(outputOf(), 'Killed\n');
    served = await serve();
    expect(messages().map(({ message }) => message)).toContain('Killed');
  });
});
