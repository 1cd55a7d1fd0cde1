// Checks that svc can listen here: on which loopback addresses, and on its default ports.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createStudioClient } from '../../../lib/client/index.js';
import { type Clock, realClock } from '../../../lib/clock/index.js';
import {
  ApiError,
  type CloudFile,
  DEFAULT_CLOUD_PORT,
  DEFAULT_STUDIO_PORT,
  usualPort,
  wayBack,
} from '../../../lib/contract/index.js';
import { BAD_PORT, isBadPort } from '../../../lib/http/index.js';
import type { Io } from '../../command.js';
import { type Check, outcomesOf } from './check.js';

interface PortPlan {
  name: string;
  owner: string;
  port: number;
  /** Whether svc itself is known to be using the port. */
  isOwn?: boolean;
  /** What should be known of it while svc is using it, and what to do about it. */
  own?: { state: string; hint: string } | undefined;
  /** Tells whether another project's instance is using the port, which is fine. */
  isSibling?: (port: number, clock: Clock) => Promise<boolean>;
  hint: string;
}

const obstacles: { code: string; state: string; hint?: string }[] = [
  { code: 'EADDRINUSE', state: 'in use' },
  { code: 'EACCES', state: 'not allowed for this user', hint: 'Choose port 1024 or higher.' },
];

/** The local cloud, as far as its port depends on it. */
interface CloudPlan {
  running: Pick<CloudFile, 'url' | 'port' | 'moved'> | null;
  /** Its file, which stays when it stops. */
  last: Pick<CloudFile, 'url' | 'port' | 'moved'> | null;
  /** The `--port` that it remembers. */
  remembered: string | undefined;
}

/** A running instance keeps its actual port, whatever its default. */
export function findPorts(
  { SVC_CLOUD_PORT }: Io['env'],
  { running, last, remembered }: CloudPlan,
  studio: { url: string } | null,
): PortPlan[] {
  const first = Number(SVC_CLOUD_PORT || DEFAULT_CLOUD_PORT);
  const isValid = isPort(first) && !isBadPort(first);
  const next = isValid ? Number(remembered ?? (last && usualPort(last)) ?? first) : first;
  return [
    {
      name: 'studio-port',
      owner: 'Studio',
      port: studio ? Number(new URL(studio.url).port || 80) : DEFAULT_STUDIO_PORT,
      isOwn: studio !== null,
      isSibling: isStudio,
      hint: 'Studio uses the next free port. To choose one, start it with --port.',
    },
    {
      name: 'cloud-port',
      owner: 'the local cloud',
      port: running?.port ?? next,
      isOwn: running !== null,
      own: running?.moved && {
        state: `, whose port ${running.moved.from} was in use when it started: programs with the old base URL do not reach it`,
        hint: wayBack(running),
      },
      hint:
        remembered !== undefined
          ? 'The cloud remembers --port and does not start on another one. To change that, run "svc cloud start --port N", or "svc cloud start --reset" to forget all saved options.'
          : last
            ? 'The cloud uses the next free port, where programs with the old base URL do not reach it. To keep this one, stop the program that uses it before the cloud starts.'
            : 'The cloud uses the next free port. To choose one, set SVC_CLOUD_PORT before its first start.',
    },
  ];
}

const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= 65_535;

/** One at a time, so that two probes of the same port do not collide. */
export async function checkPorts(plans: PortPlan[], clock: Clock = realClock): Promise<Check[]> {
  const checks: Check[] = [];
  for (const plan of plans) checks.push(await checkPort(plan, clock));
  return checks;
}

async function checkPort(plan: PortPlan, clock: Clock): Promise<Check> {
  const { name, owner, port, isOwn, own, isSibling, hint } = plan;
  const { ok, warning, problem } = outcomesOf(name);
  if (!isPort(port))
    return problem('SVC_CLOUD_PORT is not a port number', 'Set it to a number from 1 to 65535, or unset it.');
  if (isBadPort(port))
    return problem(`SVC_CLOUD_PORT is ${port}: ${BAD_PORT}`, 'Set it to another port, or unset it.');
  if (own) return warning(`port ${port} is in use by ${owner}${own.state}`, own.hint);
  if (isOwn) return ok(`port ${port} is in use by ${owner}`);
  const failures = await Promise.all(loopbackHosts.map(host => tryListen(host, port)));
  if (failures.includes('EADDRINUSE') && (await isSibling?.(port, clock)))
    return ok(`port ${port} is in use by another project's ${owner}; this project uses the next free one`);
  const obstacle = obstacles.find(({ code }) => failures.includes(code));
  return obstacle
    ? warning(`port ${port} for ${owner} is ${obstacle.state}`, obstacle.hint ?? hint)
    : ok(`port ${port} for ${owner} is free`);
}

const ANSWER_MS = 2000;

/** Recognizes Studio by how it rejects a request without a token. */
async function isStudio(port: number, clock: Clock): Promise<boolean> {
  try {
    const signal = clock.deadline(ANSWER_MS);
    await createStudioClient({ baseUrl: `http://localhost:${port}`, token: '' }).listJobs({ signal });
  } catch (error) {
    return error instanceof ApiError && error.code === 'studio_token_invalid';
  }
  return false;
}

/** Studio and the cloud listen on both and need the first. */
const loopbackHosts = ['127.0.0.1', '::1'];

export async function checkLoopback(listen = tryListen): Promise<Check> {
  const { ok, warning, problem } = outcomesOf('loopback');
  const [ipv4, ipv6] = await Promise.all(loopbackHosts.map(host => listen(host, 0)));
  if (ipv4)
    return problem(
      `cannot listen on 127.0.0.1 (${ipv4})`,
      'Bring up the loopback interface; Studio and the local cloud listen only there.',
    );
  if (ipv6)
    return warning(
      `127.0.0.1 works, ::1 does not (${ipv6})`,
      'If "localhost" is slow or refused, use 127.0.0.1 instead.',
    );
  return ok('127.0.0.1 and ::1');
}

/** Tries to listen there. Returns the system's error code, such as `EADDRINUSE`; undefined on success. */
async function tryListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    const listening = once(server, 'listening');
    server.listen(port, host);
    await listening;
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}
