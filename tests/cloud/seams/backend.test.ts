// The backends of this package: a process on this machine, and what asks Ray Serve and vLLM, whose servers are scripted
// around the same engine.
import { createLocalBackend } from '../../../lib/cloud/backends/local.js';
import { createTickets } from '../../../lib/cloud/backends/tickets.js';
import { createVllmBackend } from '../../../lib/cloud/backends/vllm.js';
import { createRayBackend } from '../../../lib/cloud/ray/index.js';
import { type ServingProcess, startServing } from '../../../lib/engine/index.js';
import { createHurriedClock } from '../../support/hurried-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { scriptedServe } from '../ray/scripted-serve.js';
import { type BackendUnderTest, describeBackend } from './describe-backend.js';
import { openReplica, openVllm } from './engine-servers.js';

const log = () => {};
const openEngine = (modelFolder: string) => createLocalBackend({ modelFolder, threads: 1, log });

async function openHere(modelFolder: string): Promise<BackendUnderTest> {
  const started: ServingProcess[] = [];
  const start = (task: Parameters<typeof startServing>[0]) => {
    started.push(startServing(task));
    return started.at(-1)!;
  };
  const backend = createLocalBackend({ modelFolder, threads: 1, log, start });
  return { backend, breakDown: () => process.kill(started.at(-1)!.pid, 'SIGKILL'), close: log };
}

async function openOnRay(modelFolder: string): Promise<BackendUnderTest> {
  const replica = await openReplica(openEngine(modelFolder), () => backend.door);
  const backend = createRayBackend({
    client: scriptedServe().client,
    url: replica.url,
    cloudUrl: 'https://cloud',
    tickets: createTickets('secret'),
    readPackage: async () => ({ sha256: 'f00', bytes: new Uint8Array() }),
    replicas: { min: 1, max: 1 },
    cpus: 1,
    weights: 'f32',
    log,
    clock: createHurriedClock(100),
  });
  return { backend, breakDown: replica.breakDown, close: replica.close };
}

async function openOnVllm(modelFolder: string): Promise<BackendUnderTest> {
  const server = await openVllm(openEngine(modelFolder));
  const backend = createVllmBackend({
    ...{ url: server.url, modelFolder, copies: temporaryFolder('svc-vllm') },
    ...{ local: openEngine(modelFolder), log },
  });
  return { backend, breakDown: server.breakDown, close: server.close };
}

describeBackend('a backend on this machine', openHere);
describeBackend('a backend on Ray Serve, with a scripted replica', openOnRay);
describeBackend('a backend on vLLM, with a scripted server', openOnVllm);
