// A request to a project's API whose key was checked, and the operations that answer it.
import type { Operation } from './find-operation.js';
import type { KeyScope } from './models.js';

export interface Call {
  request: Request;
  scope: KeyScope;
  /** Identifies the key. */
  caller: string;
  /** What the path names: a model, a file or a job. */
  id: string;
}

export type Operations<Name extends Operation> = Readonly<Record<Name, (call: Call) => Promise<object>>>;
