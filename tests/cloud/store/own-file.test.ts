// Databases of their own: what was deleted in them is overwritten.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createOwnFile } from '../../../lib/cloud/store/own-file.js';
import type { QueryResult } from '../../../lib/cloud/store/sqlite.js';
import type { openInThread } from '../../../lib/cloud/store/thread-client.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { openHere } from './open-here.js';

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
  const file = createOwnFile(join(folder, 'own.db'), { version: 1, create: [] }, openDatabase);
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
