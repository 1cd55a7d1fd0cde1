// Deletes what a project's clients stored for a limited time once that is over, and what was left where a cloud was killed.
import { type Clock, type Repeating, repeat } from '../../clock/index.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import type { CloudDeps } from '../deps.js';
import { removeAll } from '../disk/files.js';
import type { Folders } from '../disk/folders.js';
import { findBatchLeftovers, findPartLeftovers } from '../disk/leftovers.js';
import type { Db } from '../store/db.js';
import { StorageFault } from '../store/storage-fault.js';
import { deleteExpiredFiles } from './file-rows.js';
import { forgetEndedUploads } from './uploads/upload-rows.js';

interface ExpiryContext {
  db: Db;
  datasets: DatasetStore;
  folders: Folders;
  clock: Clock;
  deps: Pick<CloudDeps, 'log'>;
}

const SWEEP_MS = 60_000;

/** Begins now. A failure is tried again with the next sweep. */
export function startExpiry({ db, datasets, folders, clock, deps: { log } }: ExpiryContext): Repeating {
  async function sweep(): Promise<void> {
    try {
      const now = new Date(clock.now());
      await deleteExpiredFiles(db, datasets, now);
      await forgetEndedUploads(db, now);
      await removeAll(await findPartLeftovers(db, folders, now));
      await removeAll(await findBatchLeftovers(db, folders));
    } catch (error) {
      // The cloud's health reports faults of the store.
      if (!(error instanceof StorageFault)) log({ message: 'Expired files could not be deleted.', error });
    }
  }
  return repeat(sweep, SWEEP_MS, clock, { isAtOnce: true });
}
