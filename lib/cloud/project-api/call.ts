// Shared by the project API's operations: an authorized call.
import type { openAiRoutes } from '../../contract/index.js';
import type { StoringCall } from '../stored-answers/stored-answers.js';
import type { KeyScope } from './models.js';

export type Operation = keyof typeof openAiRoutes;

export interface Call extends StoringCall {
  scope: KeyScope;
  /** Identifies the key. */
  caller: string;
}

export type Operations<Name extends Operation> = Readonly<Record<Name, (call: Call) => Promise<object>>>;
