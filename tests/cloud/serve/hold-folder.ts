// A process that owns a data folder, says so, and does nothing until it is ended: FOLDER.
import { ownFolder } from '../../../lib/cloud/disk/own-folder.js';

ownFolder(process.argv[2]!);
process.stdout.write('held\n');
setInterval(() => {}, 1000);
