// `npm run playground`: both faces over recorded events, without a cloud: one job trains on as a real one did, chats are
// answered by rote, and there is one of everything to look at. Ctrl-C, or q in the dashboard, ends it.
import { runDashboard } from '../cli/dashboard/index.js';
import { createStudioClient } from '../lib/client/index.js';
import { nodeEventSource } from '../lib/client/node.js';
import { fillDemo, playOn } from './support/fake-studio/demo.js';
import { startFakeStudio } from './support/fake-studio.js';

const STEP_MS = 1000;

const studio = await startFakeStudio();
fillDemo(studio.world);
const playing = setInterval(() => {
  if (!playOn(studio.world)) clearInterval(playing);
}, STEP_MS);

if (process.stdin.isTTY && process.stdout.isTTY) {
  const place = { baseUrl: studio.url, token: studio.token };
  await runDashboard({
    client: createStudioClient(place),
    openEventSource: nodeEventSource(place),
    studioUrl: studio.url,
    io: { stdin: process.stdin, stdout: process.stdout, env: process.env },
    logFile: null,
  });
  process.exit();
}
console.log(`Studio over recorded events: ${studio.url}`);
