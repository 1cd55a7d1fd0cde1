// Whether svc's first-choice ports are free.
import { createStudioClient } from '../../../lib/client/index.js';
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { ApiError, DEFAULT_CLOUD_PORT, DEFAULT_STUDIO_PORT } from '../../../lib/contract/index.js';
import { BAD_PORT, isBadPort } from '../../../lib/http/index.js';
import type { Io } from '../../command.js';
import type { Check } from './check.js';
import { tryListen } from './listen.js';
import { loopbackHosts } from './loopback.js';

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
