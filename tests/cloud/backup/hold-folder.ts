// A process that uses a temporary folder until it is killed: `hold-folder.ts START`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../lib/cloud/disk/temporary-folder.js';

const { path } = await makeTemporaryFolder(process.argv[2]!);
await writeFile(join(path, 'half'), '12345');
console.log(path);
setInterval(() => {}, 60_000);
