// Permissions and ownership of the data folder.
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CloudError } from '../../../lib/cloud/cloud-error.js';
import { stagePrefix } from '../../../lib/cloud/disk/folders.js';
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';
import { makeTemporaryFolder } from '../../../lib/cloud/disk/temporary-folder.js';
import { makePrivateFolder } from '../../../lib/cloud/index.js';
import { temporaryNameFor } from '../../../lib/system/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const place = temporaryFolder('svc-private');
let made = 0;
let folder: string;
beforeEach(() => {
  folder = join(place, `${made++}`);
  mkdirSync(folder, { mode: 0o700 });
});

const modeOf = (path: string) => statSync(path).mode & 0o777;
const openTo = (mode: number) => {
  const path = join(folder, 'data');
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
};

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('is created for its user only, including its parent folders', () => {
    const path = join(folder, 'new', 'data');
    ownFolder(path).release();
    expect([modeOf(join(folder, 'new')), modeOf(path)]).toEqual([0o700, 0o700]);
  });

  it.each([0o755, 0o750, 0o711, 0o777])('of mode %o is made private if it is empty', mode => {
    const path = openTo(mode);
    ownFolder(path).release();
    expect(modeOf(path)).toBe(0o700);
  });

  it('is made private if it contains only files of a cloud, and of a backup that is being made', async () => {
    const path = openTo(0o755);
    const backup = await makeTemporaryFolder(stagePrefix(path));
    const databases = ['cloud.db', 'lock.db', 'requests.db', 'answers.db'].flatMap(name => [
      name,
      `${name}-wal`,
      `${name}-shm`,
    ]);
    const files = ['cloud', 'options', 'device', 'speeds'].map(name => `${name}.json`);
    const killedAt = basename(temporaryNameFor(join(path, 'cloud.json')));
    for (const name of [...databases, ...files, killedAt, 'stopped']) writeFileSync(join(path, name), '');
    for (const name of [
      'logs',
      'jobs',
      'datasets',
      'uploads',
      'downloads',
      'parts',
      'batches',
      'rounded',
      'models',
      'vllm',
    ])
      mkdirSync(join(path, name));
    makePrivateFolder(path);
    expect(modeOf(path)).toBe(0o700);
    await backup.remove();
  });

  it.each([0o755, 0o750, 0o770])('of mode %o with other files is refused and left unchanged', mode => {
    const path = openTo(mode);
    writeFileSync(join(path, 'notes.txt'), '');
    for (const said of [CloudError, `--data ${join(path, 'svc')}`, `chmod 700 ${path}`])
      expect(() => ownFolder(path)).toThrow(said);
    expect(modeOf(path)).toBe(mode);
    chmodSync(path, 0o700);
    ownFolder(path).release();
  });

  it('that belongs to another user is refused, even if it is private', () => {
    const path = openTo(0o700);
    expect(() => makePrivateFolder(path, { uid: process.getuid!() + 1 })).toThrow('belongs to another user');
  });
});

it.each<[string, (path: string) => void]>([
  ['garbage', path => writeFileSync(path, 'garbage '.repeat(300))],
  ['a folder', path => mkdirSync(path)],
])('the lock of a data folder that is %s causes an error with its path and a fix', (_, damage) => {
  const path = join(folder, 'lock.db');
  damage(path);
  for (const said of [CloudError, path, 'It holds no data: delete it and try again.'])
    expect(() => ownFolder(folder)).toThrow(said);
  expect(() => ownFolder(folder)).not.toThrow(/sqlite|database/i);
  rmSync(path, { recursive: true });
  ownFolder(folder).release();
});
