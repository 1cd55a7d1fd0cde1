// Studio's dependencies. It caches no credentials, project or cloud: the session looks them up on each request.
import type { TrainStatus } from '../contract/index.js';
import type { LogLine, StreamTimes } from '../http/index.js';
import type { Env, Session } from '../sdk/index.js';
import type { StartTrain } from './train/train-child.js';

export interface StudioDeps {
  /** The session of the project's folder. */
  session: Session;
  /** Required on every API call. */
  token: string;
  /** The built browser app. */
  staticFolder: string;
  startTrain: StartTrain;
  /** The environment for running the project's code. */
  env: Env;
  log: (line: LogLine) => void;
  /** Called when a run starts and when it has ended. */
  onTrain?: ((status: TrainStatus) => void) | undefined;
  /** The time limit for loading the project's entry. */
  loadLimitMs?: number | undefined;
  /** How often chat streams show that they are alive. */
  chatTimes?: Pick<StreamTimes, 'pingMs' | 'statusMs'> | undefined;
}
