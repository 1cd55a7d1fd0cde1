// A process that uses temporary folders until it is killed, and prints their paths: `hold-folder.ts START...`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../lib/cloud/disk/temporary-folder.js';

const paths: string[] = [];
for (const start of process.argv.slice(2)) {
  const { path } = await makeTemporaryFolder(start);
  await writeFile(join(path, 'half'), '12345');
  paths.push(path);
}
console.log(JSON.stringify(paths));
setInterval(() => {}, 60_000);
