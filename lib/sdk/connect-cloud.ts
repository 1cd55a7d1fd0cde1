// Connects a program to its project's cloud, the same way the command line does.
import type { CloudClient } from '../client/index.js';
import type { ConnectOptions } from './connect-studio.js';
import { openSession } from './session/session.js';

/** A client for the cloud in the project's scope. It can do everything that `svc` can. */
export function connectCloud({ cwd = process.cwd() }: ConnectOptions = {}): Promise<CloudClient> {
  return openSession({ folder: cwd, env: process.env }).projectClient();
}
