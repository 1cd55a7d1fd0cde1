// A request to a project's API whose key was checked, and the operations that answer it.
import type { openAiRoutes } from '../../contract/index.js';
import type { OperationCall } from '../openai/operations.js';
import type { KeyScope } from './models.js';

export type Operation = keyof typeof openAiRoutes;

export interface Call extends OperationCall {
  scope: KeyScope;
  /** Identifies the key. */
  caller: string;
}

export type Operations<Name extends Operation> = Readonly<Record<Name, (call: Call) => Promise<object>>>;
