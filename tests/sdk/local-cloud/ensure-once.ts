// A process that requests the local cloud COUNT times at once and prints the results:
// `ensure-once.ts HOME COUNT [START OPTIONS]`.
import { ensureLocalCloud } from '../../../lib/sdk/local-cloud/index.js';

const [home = '', count = '', ...args] = process.argv.slice(2);
const clouds = Array.from({ length: Number(count) }, () =>
  ensureLocalCloud({ home, env: process.env, args }),
);
process.stdout.write(JSON.stringify(await Promise.all(clouds)));
