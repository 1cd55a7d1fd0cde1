// Everything that svc does on one machine, once, with the built program: run by `npm run privacy` where it can be watched.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Place, runProgram } from '../../support/program.js';
import { useCommandLine } from './command-line.js';
import { openDashboard, openStudio } from './faces.js';
import { useOwnProgram } from './own-program.js';
import { makeProject } from './project.js';

/** Uploaders wait before they call: ONNX Runtime's does for nine seconds. The engine's process lives longer than this. */
const QUIET_MS = 12_000;

const steps: Record<string, (place: Place) => Promise<unknown>> = {
  'svc init, build, start, jobs, chat, endpoints, keys, a call of the endpoint, doctor': useCommandLine,
  'svc dev: the page, the API, a training from there': openStudio,
  'svc watch on a terminal': openDashboard,
  'the SDK in a program': useOwnProgram,
  'a while without a request': () => sleep(QUIET_MS),
  'svc cloud stop': place => runProgram(['cloud', 'stop'], place),
};

const place = makeProject(dirname(process.env.HOME!));
for (const [name, take] of Object.entries(steps)) {
  console.log(`  ${name}`);
  await take(place);
}
