// A process of its own that wants the local cloud several times at once, and prints what it was given: HOME, COUNT, then
// more words for the start.
import { ensureLocalCloud } from '../../../lib/sdk/local-cloud/index.js';

const [home = '', count = '', ...args] = process.argv.slice(2);
const clouds = Array.from({ length: Number(count) }, () =>
  ensureLocalCloud({ home, env: process.env, args }),
);
process.stdout.write(JSON.stringify(await Promise.all(clouds)));
