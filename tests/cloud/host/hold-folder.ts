// A process that owns a data folder and prints `held`, then waits until it is killed: `hold-folder.ts FOLDER`.
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';

ownFolder(process.argv[2]!);
process.stdout.write('held\n');
setInterval(() => {}, 1000);
