// svc watch [ID]: only the dashboard, backed by a Studio in this process that does not listen on any port.
import { join } from 'node:path';
import { createStudioClient, type OpenEventSource, type StudioClient } from '../../lib/client/index.js';
import { nodeEventSource } from '../../lib/client/node.js';
import { findHome, type Session } from '../../lib/sdk/index.js';
import { createStudio, createToken, type Studio, startTrainIn, webFolder } from '../../lib/studio/index.js';
import { type Io, type RunCommand, UsageError } from '../command.js';
import { findJob } from './project/find.js';
import { explainError } from './project/session-command.js';
import { openSessionWith } from './studio/after-start.js';
import { createDashboardFace } from './studio/dashboard-face.js';
import { awaitEnd, dashboardOptions, type Face, findTerminal, keepOpen } from './studio/face.js';

export const run: RunCommand = async ({ positionals: [typed], values, io }) => {
  const terminal = findTerminal(io);
  if (!terminal) throw new UsageError(NO_TERMINAL);
  const face = createDashboardFace({
    name: 'watch',
    logFolder: join(findHome(io.env), 'logs'),
    folder: io.cwd,
    io,
    terminal,
    ...dashboardOptions(values),
  });
  const session = openSessionWith(face, io.cwd, io);
  const id = typed === undefined ? null : await findId(session, typed);
  const token = createToken();
  const studio = createStudioHere(session, token, io, face);
  const end = awaitEnd(io);
  try {
    return await keepOpen(studio, face, end, () =>
      face.show({ ...connectInProcess(studio, token), url: null, start: { tab: 'jobs', id } }),
    );
  } finally {
    end.stop();
  }
};

const NO_TERMINAL =
  'the dashboard needs an interactive terminal. To print the events of a job, run "svc jobs logs ID --follow".';

async function findId(session: Session, typed: string): Promise<string> {
  try {
    return (await findJob(session, typed)).id;
  } catch (error) {
    throw explainError(error);
  }
}

function createStudioHere(session: Session, token: string, { env }: Io, { log }: Face): Studio {
  const startTrain = startTrainIn(session.folder, env);
  const openSession = async () => session;
  return createStudio({ openSession, token, startTrain, env, log, staticFolder: webFolder() });
}

/** A placeholder; nothing listens there. */
const BASE_URL = 'http://localhost';

/** Passes requests to a Studio in this process without using the network. */
function connectInProcess(
  studio: Pick<Studio, 'fetch'>,
  token: string,
): { client: StudioClient; openEventSource: OpenEventSource } {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('host', 'localhost');
    return studio.fetch(request);
  };
  const options = { baseUrl: BASE_URL, token, fetch };
  return { client: createStudioClient(options), openEventSource: nodeEventSource(options) };
}
