// Studio's dependencies. It caches no credentials, project or cloud: the session looks them up on each request.
import type { LogLine, StreamTimes } from '../http/index.js';
import type { Env, Session } from '../sdk/index.js';
import type { RunDataCheck } from './data/trainer-data.js';
import type { TrainRunOptions } from './train/train-run.js';

export interface StudioDeps extends TrainRunOptions {
  /** The session of the project's folder. */
  session: Session;
  /** Required on every API call. */
  token: string;
  /** The built browser app. */
  staticFolder: string;
  /** The environment for running the project's code. */
  env: Env;
  /** Says what the project's trainer would train on; `svc data check` by default. */
  runDataCheck?: RunDataCheck | undefined;
  log: (line: LogLine) => void;
  /** The time limit for loading the project's entry. */
  loadLimitMs?: number | undefined;
  /** How often chat streams show that they are alive. */
  chatTimes?: Pick<StreamTimes, 'pingMs' | 'statusMs'> | undefined;
}
