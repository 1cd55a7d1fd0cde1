// svc dev: runs Studio for this folder's project until told to stop.
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEFAULT_STUDIO_PORT } from '../../lib/contract/index.js';
import { PortTakenError } from '../../lib/http/index.js';
import { findHome, type Session } from '../../lib/sdk/index.js';
import { type RunningStudio, runStudio } from '../../lib/studio/index.js';
import { CommandError, type Io, type OptionValues, type RunCommand, UsageError } from '../command.js';
import { type AgentEndpoint, openAgentEndpoint } from '../mcp/over-http.js';
import { type Permission, readPermissions } from '../mcp/permissions.js';
import {
  awaitEnd,
  createPlainFace,
  dashboardOptions,
  type Face,
  findTerminal,
  keepOpen,
  openSessionFor,
} from './studio/face.js';
import { requireUsablePort } from './usable-port.js';

interface Launch {
  options: DevOptions;
  io: Io;
  face: Face;
  openSession: () => Promise<Session>;
  agents: AgentEndpoint;
}

export const run: RunCommand = async ({ values, io: given }) => {
  const io = withAbsoluteHome(given);
  const options = await readOptions(values, io.cwd);
  const face = await openFace(options, io);
  const agents = openAgentEndpoint({ folder: options.folder, env: io.env }, options.allowed);
  const openSession = openSessionFor(face, options.folder, io);
  const launch = { options, io, face, openSession, agents };
  const end = awaitEnd(io);
  try {
    const served = await serve(launch);
    return await keepOpen(served, face, end, () => introduce(served, launch));
  } finally {
    end.stop();
    await agents.close();
  }
};

/** What Studio starts runs in the project's folder, where a relative `SVC_HOME` would name another home. */
function withAbsoluteHome(io: Io): Io {
  return Object.create(io, { env: { value: { ...io.env, SVC_HOME: findHome(io.env) } } });
}

async function serve({
  options: { folder, ports },
  io: { env },
  face,
  openSession,
  agents,
}: Launch): Promise<RunningStudio> {
  try {
    const { log, onTrain } = face;
    return await runStudio({ folder, openSession, env, ports, log, onTrain, mcp: agents.answer });
  } catch (error) {
    if (!(error instanceof PortTakenError)) throw error;
    throw new CommandError(
      `${error.message} Stop the program that uses it, or choose another port with --port.`,
    );
  }
}

async function introduce(served: RunningStudio, { options, io, face, openSession }: Launch): Promise<void> {
  const { url, other } = served;
  if (other) face.note(`Another svc dev is running here at ${other.url}. Scripts now use this instance.`);
  const [wanted] = options.ports;
  if (wanted !== 0 && wanted !== served.port)
    face.note(`Port ${wanted} is in use; using ${served.port} instead.`);
  const { connectTo } = await import('./studio/connect.js');
  const loadSession = () => import('./studio/session.js');
  await face.show({
    url,
    caller: async () => (await loadSession()).describeCaller(await openSession()),
    entryFault: async () => (await loadSession()).findEntryFault(options.folder),
    ...connectTo(served),
  });
  void (await loadSession()).wakeLocalCloud(await openSession(), face);
  if (!options.isOpen) return;
  const { openBrowser } = await import('./terminal/open-browser.js');
  const reason = await openBrowser(url, io.env);
  if (reason !== null) face.note(`Could not open a browser: ${reason}. Open ${url} yourself.`);
}

/** Opens the dashboard if the terminal supports it, unless plain output is requested. */
async function openFace({ isPlain, folder, dashboard }: DevOptions, io: Io): Promise<Face> {
  const terminal = isPlain ? null : findTerminal(io);
  if (!terminal) return createPlainFace(io);
  const { createDashboardFace } = await import('./studio/dashboard-face.js');
  const logFolder = join(folder, '.svc', 'logs');
  return createDashboardFace({ name: 'dev', logFolder, folder, io, terminal, ...dashboard });
}

/** Parsed and validated options. */
interface DevOptions {
  folder: string;
  /** Ports in the order to try them. */
  ports: number[];
  isOpen: boolean;
  /** Plain output, even if the terminal can show the dashboard. */
  isPlain: boolean;
  dashboard: ReturnType<typeof dashboardOptions>;
  /** What agents may do without asking. */
  allowed: ReadonlySet<Permission>;
}

/** How many further ports to try after the default one. */
const NEXT_PORTS = 10;

async function readOptions(values: OptionValues, cwd: string): Promise<DevOptions> {
  return {
    folder: await findFolder(typeof values.cwd === 'string' ? resolve(cwd, values.cwd) : cwd),
    ports: typeof values.port === 'string' ? [readPort(values.port)] : usualPorts(),
    isOpen: values.open === true,
    isPlain: values['no-tui'] === true,
    dashboard: dashboardOptions(values),
    allowed: readPermissions(values.allow),
  };
}

function usualPorts(): number[] {
  return Array.from({ length: 1 + NEXT_PORTS }, (_, index) => DEFAULT_STUDIO_PORT + index);
}

/** 0 means any free port. */
function readPort(text: string): number {
  const port = Number(text);
  const isPort = /^\d{1,5}$/.test(text) && port <= 65_535;
  if (isPort) return requireUsablePort('--port', port);
  throw new UsageError(`--port must be a whole number up to 65535, not "${text}".`);
}

/** The real path, since the project's slug is derived from it. */
async function findFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new CommandError(`No such folder: ${folder}`);
  return realpath(folder);
}
