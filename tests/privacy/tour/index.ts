// Takes the built svc through everything it does on one machine. `npm run privacy` runs this where it can be watched.
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProgramOptions, runProgram } from '../../support/program.js';
import { useCommandLine } from './command-line.js';
import { openDashboard, openStudio } from './faces.js';
import { useOwnProgram } from './own-program.js';
import { makeProject } from './project.js';

/** ONNX Runtime's uploader waits nine seconds before its first call; the process that serves chats outlives this. */
const QUIET_MS = 12_000;

const steps: Record<string, (place: ProgramOptions) => Promise<unknown>> = {
  'svc init, build, start, jobs, chat, endpoints, keys, doctor, and a call to the endpoint': useCommandLine,
  'svc dev: the page, the API and a training run': openStudio,
  'svc watch in a terminal': openDashboard,
  'a program that uses the SDK': useOwnProgram,
  idle: () => sleep(QUIET_MS),
  'svc cloud stop': place => runProgram(['cloud', 'stop'], place),
};

const place = makeProject(dirname(process.env.HOME!));
for (const [name, take] of Object.entries(steps)) {
  console.log(`  ${name}`);
  await take(place);
}
