// Deletes data that nothing refers to anymore from a data folder while no cloud is running on it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Collected } from '../../contract/index.js';
import { logFileIn } from '../../system/index.js';
import { createAccess } from '../auth/authorize.js';
import { ownFolder } from '../disk/own-folder.js';
import { createJobs } from '../jobs/index.js';
import { openDb } from '../store/db.js';
import { createLocalRunner } from './local-parts.js';
import { openLog } from './log.js';

/** Throws `folder_owned` if a cloud is running on it. */
export async function collectGarbageIn(folder: string): Promise<Collected> {
  if (!existsSync(join(folder, 'cloud.db'))) return { files: 0, bytes: 0 };
  const lock = ownFolder(folder);
  try {
    const db = await openDb(join(folder, 'cloud.db'));
    const deps = {
      folder,
      baseModel: { name: '', folder: '' },
      concurrency: 1,
      exposed: false,
      log: openLog(logFileIn(folder), []),
      runner: createLocalRunner(),
    };
    try {
      return await createJobs(deps, db, createAccess({ db, local: true })).collectGarbage();
    } finally {
      await db.destroy();
    }
  } finally {
    lock.release();
  }
}
