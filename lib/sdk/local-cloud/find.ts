// Finds the cloud running on a data folder. Whatever listens at the URL in its file is trusted only after it proves
// that it knows the secret in the file; until then it is sent nothing but a random number.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createCloudClient, isUntrusted, reasonOf } from '../../client/index.js';
import { type Clock, realClock } from '../../clock/index.js';
import {
  type CloudFile,
  type CloudInfo,
  cloudFile,
  findFault,
  isLoopbackHost,
} from '../../contract/index.js';
import { cloudFileIn, stopMarkIn } from '../../system/index.js';
import { isAlive } from '../processes.js';

/** A cloud that has proved it wrote the file. */
export type LocalCloud = CloudFile & Pick<CloudInfo, 'baseModel' | 'deploymentDomain'>;

const ANSWER_MS = 3000;

export function cloudFolder(home: string): string {
  return join(home, 'cloud');
}

/** The cloud of this home; null if it is not running. */
export function findLocalCloud(home: string, clock = realClock): Promise<LocalCloud | null> {
  return findCloudIn(cloudFolder(home), clock);
}

/** The cloud of a data folder; null if none is running. Throws if one is, with a certificate that is not trusted. */
export async function findCloudIn(folder: string, clock = realClock): Promise<LocalCloud | null> {
  return (await lookIn(folder, clock)).cloud;
}

interface Look {
  cloud: LocalCloud | null;
  /** What the file says, if no cloud is found, and why asking there failed. */
  file?: CloudFile;
  fault?: unknown;
}

/**
 * Looks once. A cloud writes the file before it answers. So if the file has changed by then, the first read came from an
 * earlier process, with the same secret and perhaps the same port.
 */
export async function lookIn(folder: string, clock: Clock = realClock): Promise<Look> {
  const file = await readCloudFile(folder);
  if (!file) return { cloud: null };
  const nonce = randomBytes(16).toString('hex');
  let fault: unknown;
  const info = await ask(file.url, nonce, clock).catch((error: unknown) => {
    if (isUntrusted(error) && isAlive(file.pid)) throw error;
    fault = error; // It is not our cloud, or not to be reached.
    return null;
  });
  if (!info?.proof || !isProof(info.proof, file.secret, nonce)) return { cloud: null, file, fault };
  const { version, baseModel, deploymentDomain } = info;
  const isStill = isDeepStrictEqual(await readCloudFile(folder), file);
  return isStill ? { cloud: { ...file, version, baseModel, deploymentDomain } } : lookIn(folder, clock);
}

/** What to tell of a cloud whose public name does not lead to it from this machine; null if that is not so. */
export function explainUnreachable({ file, fault }: Look): string | null {
  if (!file || !isAlive(file.pid) || isLoopbackHost(new URL(file.url).hostname)) return null;
  const reason = fault === undefined ? 'another server answers there' : reasonOf(fault).replace(/\.$/, '');
  return `The cloud is running (process ${file.pid}), but ${file.url} cannot be reached from this machine: ${reason}. \
Its commands here need that: let the name lead to this cloud, for example in this machine's hosts file.`;
}

/** Whether the last cloud of a data folder was stopped on purpose. One that crashed leaves no such mark. */
export function wasCloudStopped(folder: string): boolean {
  return existsSync(stopMarkIn(folder));
}

/** Null if there is none or it is unreadable. */
export async function readCloudFile(folder: string): Promise<CloudFile | null> {
  try {
    const content: unknown = JSON.parse(await readFile(cloudFileIn(folder), 'utf8'));
    if (findFault(cloudFile, content, 'It') !== null) return null;
    const { url, port, pid, version, secret, modelFolder, moved } = content as CloudFile;
    return {
      ...{ url, port, pid, version, secret },
      ...(modelFolder !== undefined && { modelFolder }),
      ...(moved && { moved }),
    };
  } catch {
    return null;
  }
}

async function ask(url: string, nonce: string, clock: Clock): Promise<CloudInfo> {
  return createCloudClient({ baseUrl: url, clock }).getCloud(nonce, { signal: clock.deadline(ANSWER_MS) });
}

function isProof(proof: string, secret: string, nonce: string): boolean {
  const wanted = createHmac('sha256', secret).update(nonce).digest();
  const actual = Buffer.from(proof, 'hex');
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
