// The way from a program to its project's cloud, as the command line goes it.
import type { CloudClient } from '../client/index.js';
import type { ConnectOptions } from './connect-studio.js';
import { openSession } from './session/session.js';

/** A client of the cloud, in the project's scope: what `svc` does there, a program can do. */
export function connectCloud({ cwd = process.cwd() }: ConnectOptions = {}): Promise<CloudClient> {
  return openSession({ folder: cwd, env: process.env }).project();
}
