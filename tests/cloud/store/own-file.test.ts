// Databases of their own: what was deleted in them is overwritten.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOwnFile } from '../../../lib/cloud/store/own-file.js';
import type { QueryResult } from '../../../lib/cloud/store/sqlite.js';
import type { openInThread } from '../../../lib/cloud/store/thread-client.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { openHere } from './open-here.js';

interface Tables {
  notes: { text: string };
}

const here = openHere(createVirtualClock(0));

it('traces that are noted during a checkpoint, or left by one that failed, are removed by the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-own-'));
  const outcomes: (() => number)[] = [];
  let checkpoints = 0;
  const openDatabase: typeof openInThread = (...given) => {
    const client = openHere(createVirtualClock(0))(...given);
    return {
      ...client,
      async ask(session, work) {
        if (work.kind !== 'checkpoint') return client.ask(session, work);
        checkpoints++;
        return { rows: [{ busy: outcomes.shift()!() }] } as unknown as QueryResult;
      },
    };
  };
  const file = createOwnFile(
    join(folder, 'own.db'),
    { version: 1, create: [], holds: 'samples' },
    openDatabase,
  );
  await file.open();
  const fail = () => {
    throw new Error('disk');
  };
  const busy = () => 1;
  const noteMeanwhile = () => {
    file.noteTraces();
    return 0;
  };
  outcomes.push(fail, busy, noteMeanwhile, () => 0);
  await expect(file.removeTraces()).rejects.toThrow('disk');
  for (let call = 0; call < 6; call++) await file.removeTraces();
  expect(checkpoints).toBe(4);
  await file.close();
  await rm(folder, { recursive: true });
});

it('one that is damaged, or of another version, is named with what it holds, and stays as it is', async () => {
  const path = join(temporaryFolder('svc-own'), 'own.db');
  const create = ['CREATE TABLE notes (text)'];
  const openWith = (version: number) =>
    createOwnFile<Tables>(path, { version, create, holds: 'samples' }, here);
  const moveAway =
    'It holds samples and nothing else: stop the cloud, move the file out of its data folder, and start it again.';
  const later = openWith(2);
  await later.open();
  await later.close();
  const refused = openWith(1);
  const versions =
    'was written by another version of svc (its tables are version 2; this svc needs version 1).';
  await expect(refused.open()).rejects.toMatchObject({
    code: 'storage_unavailable',
    problem: `The cloud's own.db ${versions}`,
    message: `The cloud's own.db ${versions} ${moveAway}`,
  });
  await refused.close();

  const garbage = 'garbage '.repeat(2000);
  await writeFile(path, garbage);
  const damaged = openWith(1);
  await expect(damaged.open()).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `The cloud's own.db is damaged. ${moveAway}`,
  });
  await damaged.close();
  expect(await readFile(path, 'utf8')).toBe(garbage);
});
