// The local cloud as commands see it: its folder, the cloud that runs there, its health, and its description.
import { lstat, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createCloudClient } from '../../../lib/client/index.js';
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { type FolderOwner, findFolderOwner } from '../../../lib/cloud/index.js';
import type { CloudHealth } from '../../../lib/contract/index.js';
import {
  cloudFolder,
  explainUnreachable,
  findHome,
  type LocalCloud,
  lookIn,
} from '../../../lib/sdk/local-cloud/index.js';
import { CommandError, type Context, type Io } from '../../command.js';
import { shellWord } from '../terminal/shell-word.js';

/** The data folder that a cloud command works on. */
export function findFolder({ values, io }: Pick<Context, 'values' | 'io'>): string {
  return typeof values.data === 'string' ? resolve(io.cwd, values.data) : cloudFolder(findHome(io.env));
}

/** What commands to copy need to be about the cloud of this folder: ` --data DIR`, or nothing for the usual one. */
export function dataOf(folder: string, env: Io['env']): string {
  return folder === cloudFolder(findHome(env)) ? '' : ` --data ${shellWord(folder)}`;
}

/** Null if the cloud does not respond. */
export async function askHealth({
  url,
  secret,
}: Pick<LocalCloud, 'url' | 'secret'>): Promise<CloudHealth | null> {
  return createCloudClient({ baseUrl: url })
    .getHealth(secret)
    .catch(() => null);
}

export type About = Omit<LocalCloud, 'secret'>;

/** A running cloud as `--json` shows it. */
export function describeCloud(cloud: About, folder: string) {
  const { url, port, pid, version, baseModel, deploymentDomain, moved } = cloud;
  return { url, port, pid, version, baseModel, deploymentDomain, folder, ...(moved && { moved }) };
}

/** "1 running and 2 queued jobs"; null if there are none. */
export function describeJobCounts({ running, queued }: { running: number; queued: number }): string | null {
  const counts = [running > 0 && `${running} running`, queued > 0 && `${queued} queued`].filter(Boolean);
  if (counts.length === 0) return null;
  return `${counts.join(' and ')} ${running + queued === 1 ? 'job' : 'jobs'}`;
}

/** A process that owns the data folder but does not respond. */
interface SilentOwner extends FolderOwner {
  /** If that is because its public name does not lead to it. */
  unreachable?: string | null;
}

export function describeSilentOwner(folder: string, owner: SilentOwner | null): string {
  if (owner?.unreachable) return owner.unreachable;
  return owner?.pid
    ? `The cloud on ${folder} (process ${owner.pid}) is not responding.`
    : `A cloud is running on ${folder} but is not responding.`;
}

/** If the system does not reveal the process, only the user can find it. `data`: as `dataOf` writes it. */
export function silentOwnerHint(owner: SilentOwner | null, data = ''): string {
  const toStop = `To stop it, run "svc cloud stop${data}".`;
  if (owner?.unreachable) return toStop;
  return owner?.pid
    ? `It may be busy, starting or stopping. ${toStop}`
    : 'It may be busy, starting or stopping. If this persists, kill the process whose command line contains "cloud start --foreground".';
}

export function silentOwner(folder: string, owner: SilentOwner | null, env: Io['env']): CommandError {
  const hint = silentOwnerHint(owner, dataOf(folder, env));
  return new CommandError(`${describeSilentOwner(folder, owner)}\n${hint}`);
}

export interface Sizes {
  total: number;
  /** Sizes by name, largest first. */
  entries: Record<string, number>;
}

/** Sizes in total and per top-level entry. Files deleted while measuring count as 0. */
export async function measureFolder(folder: string): Promise<Sizes> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async name => [name, await measure(join(folder, name))] as const),
  );
  const found = sizes.filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a);
  return { total: found.reduce((sum, [, bytes]) => sum + bytes, 0), entries: Object.fromEntries(found) };
}

async function measure(path: string): Promise<number> {
  const entry = await lstat(path).catch(() => null);
  if (!entry?.isDirectory()) return entry?.size ?? 0;
  return (await measureFolder(path)).total;
}

export interface Running {
  /** Null when none is running or it does not respond. */
  cloud: LocalCloud | null;
  /** The process that owns the folder, when its cloud does not respond. */
  owner: SilentOwner | null;
}

const POLL_MS = 100;
const PATIENCE_MS = 5000;

/**
 * Waits for a cloud that owns the folder but is not found: it is starting, or its cloud.json was changed, which it
 * rewrites within a second or two. Throws if its certificate is not trusted.
 */
export async function findRunning(
  folder: string,
  clock: Clock = realClock,
  patienceMs = PATIENCE_MS,
): Promise<Running> {
  for (const until = clock.elapsed() + patienceMs; ; await clock.sleep(POLL_MS)) {
    const look = await lookIn(folder);
    const { cloud } = look;
    const owner = cloud ? null : findFolderOwner(folder);
    if (cloud || !owner || clock.elapsed() > until)
      return { cloud, owner: owner && { ...owner, unreachable: explainUnreachable(look) } };
  }
}
