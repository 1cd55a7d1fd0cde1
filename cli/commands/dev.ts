// svc dev: runs Studio for this folder's project until told to stop.
import { PortTakenError } from '../../lib/http/index.js';
import { openSession, readStudioFile, type Session } from '../../lib/sdk/index.js';
import { type ServedStudio, serveStudio } from '../../lib/studio/index.js';
import type { CommandModule, Io } from '../command.js';
import { CommandError } from '../command-error.js';
import { exitCode } from '../exit-code.js';
import { findTerminal } from './dashboard/find-terminal.js';
import { awaitEnd } from './dev/await-end.js';
import type { Face } from './dev/face.js';
import { type DevOptions, readOptions } from './dev/options.js';
import { createPlainFace } from './dev/plain-face.js';
import { sweepAtExit } from './dev/sweep-at-exit.js';
import { wakeLocalCloud } from './dev/wake-local-cloud.js';

interface Launch {
  options: DevOptions;
  io: Io;
  face: Face;
  session: Session;
}

export const run: CommandModule['run'] = async (input, io) => {
  const options = await readOptions(input, io);
  const face = await openFace(options, io);
  const launch = { options, io, face, session: open(options, io, face) };
  const end = awaitEnd(io);
  try {
    const other = await readStudioFile(options.folder).catch(() => null);
    const served = await serve(launch);
    const dismissSweep = sweepAtExit(served);
    try {
      if (other) face.note(`Another svc dev is running here at ${other.url}. Scripts now use this instance.`);
      await introduce(served, launch);
      return await Promise.race([end.code, face.left.then(() => exitCode.ok)]);
    } finally {
      await face.close();
      await Promise.race([served.close().then(dismissSweep), end.hurried]);
    }
  } finally {
    end.stop();
  }
};

function open({ folder }: DevOptions, { env }: Io, face: Face): Session {
  const onCloudStart = (url: string) => {
    face.note(`Started the local cloud at ${url}.`);
    face.cloudAnswered();
  };
  return openSession({ folder, env, onCloudStart });
}

async function serve({ options: { ports }, io: { env }, face, session }: Launch): Promise<ServedStudio> {
  try {
    return await serveStudio({ session, env, ports, log: face.log, onTrain: face.onTrain });
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
    throw new CommandError(
      `${error.message} Stop the program that uses it, or choose another port with --port.`,
    );
  }
}

async function introduce(served: ServedStudio, { options, io, face, session }: Launch): Promise<void> {
  const [wanted] = options.ports;
  if (wanted !== 0 && wanted !== served.port)
    face.note(`Port ${wanted} is in use; using ${served.port} instead.`);
  // Loaded only now, so that the page is served sooner.
  const { describeCaller } = await import('./dev/describe-caller.js');
  face.show(served, await describeCaller(session));
  void wakeLocalCloud(session, face);
  if (!options.isOpen) return;
  const { openBrowser } = await import('./terminal/open-browser.js');
  const reason = await openBrowser(served.url, io.env);
  if (reason !== null) face.note(`Could not open a browser: ${reason}. Open ${served.url} yourself.`);
}

/** The dashboard if the terminal supports it, unless plain lines are wanted. */
async function openFace({ isPlain, folder, rings, hasMouse, hasShell }: DevOptions, io: Io): Promise<Face> {
  const terminal = isPlain ? null : findTerminal(io);
  if (!terminal) return createPlainFace(io, folder);
  const { createDashboardFace } = await import('./dev/dashboard-face.js');
  return createDashboardFace({ folder, io, terminal, rings, hasMouse, hasShell });
}
