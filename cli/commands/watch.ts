// svc watch [ID]: only the dashboard, backed by a Studio in this process that does not listen on any port.
import { join } from 'node:path';
import { createStudioClient, type OpenEventSource, type StudioClient } from '../../lib/client/index.js';
import { nodeEventSource } from '../../lib/client/node.js';
import { findHome, openSession, type Session } from '../../lib/sdk/index.js';
import { createStudio, createToken, type Studio, startTrainIn, webFolder } from '../../lib/studio/index.js';
import { type CommandModule, exitCode, type Io, UsageError } from '../command.js';
import { findJob } from './project/find.js';
import { explainError } from './project/session-command.js';
import { createDashboardScreen, type DashboardScreen } from './studio/dashboard-screen.js';
import { awaitEnd, findTerminal, sweepAtExit } from './studio/process.js';

export const run: CommandModule['run'] = async ({ positionals: [typed], values, io }) => {
  const terminal = findTerminal(io);
  if (!terminal) throw new UsageError(NO_TERMINAL);
  const logFolder = join(findHome(io.env), 'logs');
  const screen = createDashboardScreen({
    name: 'watch',
    logFolder,
    folder: io.cwd,
    io,
    terminal,
    rings: values.notify === true,
    hasMouse: values['no-mouse'] !== true,
    hasShell: values.shell === true,
  });
  const session = openSession({
    folder: io.cwd,
    env: io.env,
    onCloudStart(url) {
      screen.note(`Started the local cloud at ${url}.`);
      screen.cloudAnswered();
    },
  });
  const id = typed === undefined ? null : await findId(session, typed);
  const token = createToken();
  const studio = createStudioHere(session, token, io, screen);
  const end = awaitEnd(io);
  const dismissSweep = sweepAtExit(studio);
  try {
    screen.open({
      ...connectInProcess(studio, token),
      studioUrl: null,
      start: { tab: 'jobs', id },
    });
    return await Promise.race([end.code, screen.left.then(() => exitCode.ok)]);
  } finally {
    await screen.close();
    await Promise.race([studio.close().then(dismissSweep), end.hurried]);
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

function createStudioHere(session: Session, token: string, { env }: Io, { log }: DashboardScreen): Studio {
  const startTrain = startTrainIn(session.folder, env);
  return createStudio({ session, token, startTrain, env, log, staticFolder: webFolder() });
}

/** Nothing listens there. */
const BASE_URL = 'http://localhost';

/** Hands requests to a Studio in this process directly instead of sending them over the network. */
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
