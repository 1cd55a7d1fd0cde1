// Data folders of clouds that live for a test. Each has a new database already: the migrations run once for all of them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDb } from '../../lib/cloud/store/db.js';
import { quickFolder } from '../support/quick-folder.js';

let empty: Promise<Buffer> | undefined;

export async function makeCloudFolder(): Promise<string> {
  empty ??= makeDatabase();
  const folder = await makeFolder();
  await writeFile(join(folder, 'cloud.db'), await empty);
  return folder;
}

const makeFolder = () => mkdtemp(join(quickFolder, 'svc-cloud-'));

async function makeDatabase(): Promise<Buffer> {
  const folder = await makeFolder();
  const file = join(folder, 'cloud.db');
  const db = await openDb(file);
  await db.destroy();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
}
