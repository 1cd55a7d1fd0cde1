// Studio's dependencies. It caches no credentials, project or cloud: the session looks them up on each request.
import type { LogLine } from '../http/index.js';
import type { Env, Session } from '../sdk/index.js';
import type { RunData } from './project/trainer-data.js';
import type { TrainRunOptions } from './train/train-run.js';

export interface StudioDeps extends TrainRunOptions {
  /** The project's. */
  folder: string;
  /** The session of the project's folder. Opened once, by the first request that needs it. */
  openSession: () => Promise<Session>;
  /** Required on every API call. */
  token: string;
  /** The built browser app. */
  staticFolder: string;
  /** The environment for running the project's code. */
  env: Env;
  /** Runs `svc data` with these arguments, in the project's folder by default. */
  runData?: RunData | undefined;
  /** Answers agents at `/mcp`; without it, there is no such address. */
  mcp?: ((request: Request) => Promise<Response>) | undefined;
  log: (line: LogLine) => void;
}
