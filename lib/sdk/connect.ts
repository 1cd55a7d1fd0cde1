// Connects a program to its project's Studio or cloud, the same way as the command line. A Studio is found through the file
// that `svc dev` keeps in the project while it runs.
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type CloudClient, createStudioClient, type StudioClient } from '../client/index.js';
import { patientFetch } from '../client/node.js';
import { ApiError, isLoopbackHost, type StudioFile, studioFile } from '../contract/index.js';
import type { Env } from './files/files.js';
import { readJsonFile } from './files/json-file.js';
import { isAlive } from './processes.js';
import type { Session } from './session/session.js';

export const studioPath = (folder: string) => join(folder, '.svc', 'studio.json');

export interface ConnectOptions {
  /** The project's folder. Default: the current working directory. */
  cwd?: string;
}

/** A client for the Studio that `svc dev` runs in the project. */
export async function connectStudio({ cwd = process.cwd() }: ConnectOptions = {}): Promise<StudioClient> {
  const { url, token } = await findStudio(cwd);
  return createStudioClient({ baseUrl: url, token, fetch: patientFetch });
}

/** A client for the cloud in the project's scope, with everything that `svc` can do. */
export async function connectCloud({ cwd }: ConnectOptions = {}): Promise<CloudClient> {
  return (await openProgramSession(cwd, process.env)).projectClient();
}

/** The session of a program with its project. */
export async function openProgramSession(cwd = process.cwd(), env: Env): Promise<Session> {
  const { openSession } = await import('./session/session.js');
  // A new project is named by the folder's path. Whatever needs a folder that is missing says so.
  const folder = await realpath(cwd).catch(() => resolve(cwd));
  return openSession({ folder, env, keepsCloud: true });
}

/** The URL and token of a project's Studio. */
export async function findStudio(folder: string): Promise<StudioFile> {
  const found = await readStudioFile(folder);
  if (found) return found;
  throw new ApiError(
    'studio_unreachable',
    `"svc dev" is not running in ${folder}. Start it there and try again.`,
  );
}

/** Null if none is running. A killed process leaves its file behind, so the process is checked. */
export async function readStudioFile(folder: string): Promise<StudioFile | null> {
  const path = studioPath(folder);
  const found = await readJsonFile(path, studioFile, 'state_invalid');
  if (!found || !isAlive(found.pid)) return null;
  if (!isLoopbackHost(new URL(found.url).hostname))
    throw new ApiError('state_invalid', `${path} points to ${found.url}, which is not on this machine.`);
  return found;
}
