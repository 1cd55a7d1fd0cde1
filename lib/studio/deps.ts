// What Studio is made with. It keeps nothing of credentials, project or cloud: the session finds them at each request.
import type { LogLine, StreamTimes } from '../http/index.js';
import type { Env, Session } from '../sdk/index.js';
import type { TrainRunOptions } from './train/train-run.js';

export interface StudioDeps extends TrainRunOptions {
  /** Of the project's folder. */
  session: Session;
  /** What every call of the API has to show. */
  token: string;
  /** The built browser app. */
  staticFolder: string;
  /** What the project's own code is run with. */
  env: Env;
  log: (line: LogLine) => void;
  /** How long the project's entry may take to load. */
  loadLimitMs?: number | undefined;
  /** How streams of chat show that they are alive. */
  chatTimes?: Pick<StreamTimes, 'pingMs' | 'statusMs'> | undefined;
}
