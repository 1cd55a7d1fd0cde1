// svc watch [ID]: only the dashboard, backed by a Studio in this process that does not listen on any port.
import { join } from 'node:path';
import { findHome, type Session } from '../../lib/sdk/index.js';
import { createStudio, createToken, startTrainIn, webFolder } from '../../lib/studio/index.js';
import { type RunCommand, UsageError } from '../command.js';
import { connectInProcess } from './studio/connect.js';
import { createDashboardFace } from './studio/dashboard-face.js';
import { awaitEnd, dashboardOptions, findTerminal, keepOpen, openSessionFor } from './studio/face.js';

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
  const openSession = openSessionFor(face, io.cwd, io);
  const id = typed === undefined ? null : await findId(openSession, typed);
  const token = createToken();
  const studio = createStudio({
    folder: io.cwd,
    openSession,
    token,
    startTrain: startTrainIn(io.cwd, io.env),
    env: io.env,
    log: face.log,
    staticFolder: webFolder(),
  });
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

async function findId(openSession: () => Promise<Session>, typed: string): Promise<string> {
  const [session, { findJob }, { explainError }] = await Promise.all([
    openSession(),
    import('./project/find.js'),
    import('./project/session-command.js'),
  ]);
  try {
    return (await findJob(session, typed)).id;
  } catch (error) {
    throw explainError(error);
  }
}
