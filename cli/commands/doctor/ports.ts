// Whether svc can listen here: on which loopback addresses, and on its first-choice ports.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createStudioClient } from '../../../lib/client/index.js';
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { ApiError, DEFAULT_CLOUD_PORT, DEFAULT_STUDIO_PORT } from '../../../lib/contract/index.js';
import { BAD_PORT, isBadPort } from '../../../lib/http/index.js';
import type { Io } from '../../command.js';
import type { Check } from './check.js';

interface PortPlan {
  name: string;
  owner: string;
  port: number;
  /** Whether its own owner is known to be using it. */
  isOwn?: boolean;
  /** Whether another project's instance is using it, which is fine. */
  isSibling?: (port: number, clock: Clock) => Promise<boolean>;
  hint: string;
}

const obstacles: { code: string; state: string; hint?: string }[] = [
  { code: 'EADDRINUSE', state: 'in use' },
  { code: 'EACCES', state: 'not allowed for this user', hint: 'Choose port 1024 or higher.' },
];

/** What is already running keeps its port, regardless of its first choice. */
export function findPorts(
  { SVC_CLOUD_PORT }: Io['env'],
  cloud: { port: number } | null,
  studio: { url: string } | null,
): PortPlan[] {
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
      port: cloud?.port ?? Number(SVC_CLOUD_PORT || DEFAULT_CLOUD_PORT),
      isOwn: cloud !== null,
      hint: 'The cloud uses the next free port. To choose one, set SVC_CLOUD_PORT before its first start.',
    },
  ];
}

/** One at a time, so that two probes of the same port do not collide. */
export async function checkPorts(plans: PortPlan[], clock: Clock = realClock): Promise<Check[]> {
  const checks: Check[] = [];
  for (const plan of plans) checks.push(await checkPort(plan, clock));
  return checks;
}

async function checkPort(plan: PortPlan, clock: Clock): Promise<Check> {
  const { name, owner, port, isOwn, isSibling, hint } = plan;
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return {
      name,
      status: 'problem',
      message: 'SVC_CLOUD_PORT is not a port number',
      hint: 'Set it to a number from 1 to 65535, or unset it.',
    };
  if (isBadPort(port))
    return {
      name,
      status: 'problem',
      message: `SVC_CLOUD_PORT is ${port}: ${BAD_PORT}`,
      hint: 'Set it to another port, or unset it.',
    };
  if (isOwn) return { name, status: 'ok', message: `port ${port} is in use by ${owner}`, hint: null };
  const failures = await Promise.all(loopbackHosts.map(host => tryListen(host, port)));
  if (failures.includes('EADDRINUSE') && (await isSibling?.(port, clock)))
    return {
      name,
      status: 'ok',
      message: `port ${port} is in use by another project's ${owner}; this project uses the next free one`,
      hint: null,
    };
  const obstacle = obstacles.find(({ code }) => failures.includes(code));
  return {
    name,
    status: obstacle ? 'warning' : 'ok',
    message: `port ${port} for ${owner} is ${obstacle?.state ?? 'free'}`,
    hint: obstacle ? (obstacle.hint ?? hint) : null,
  };
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
  const name = 'loopback';
  const [ipv4, ipv6] = await Promise.all(loopbackHosts.map(host => listen(host, 0)));
  if (ipv4)
    return {
      name,
      status: 'problem',
      message: `cannot listen on 127.0.0.1 (${ipv4})`,
      hint: 'Bring up the loopback interface; Studio and the local cloud listen only there.',
    };
  if (ipv6)
    return {
      name,
      status: 'warning',
      message: `127.0.0.1 works, ::1 does not (${ipv6})`,
      hint: 'If "localhost" is slow or refused, use 127.0.0.1 instead.',
    };
  return { name, status: 'ok', message: '127.0.0.1 and ::1', hint: null };
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
