// The main thread's side of the database thread: one thread for all databases, started with the first. Requests of the same
// tick are sent in one message.
import { startThread as startProgram } from '../../system/index.js';
import type { QueryResult } from './sqlite.js';
import type { Reply, Request, Settings, Work, WorkRequest } from './thread-messages.js';

export interface DatabaseClient {
  /** Rejects with an error that has SQLite's code. */
  ask(session: number, work: Work): Promise<QueryResult>;
  /** Does not wait for a reply. If it fails, the rest of the session fails. */
  tell(session: number, work: Work): void;
}

interface PendingRequest {
  resolve(result: QueryResult): void;
  reject(error: unknown): void;
}

interface Thread {
  post(request: Request): void;
  ask(request: WorkRequest): Promise<QueryResult>;
  readonly blocked: Map<number, () => void>;
}

let shared: Thread | null = null;
let lastDatabase = 0;
let lastId = 0;

/** Opens a database in the thread. Calls `onBlocked` when a write has waited for a lock for a while. */
export function openInThread(settings: Settings, onBlocked: () => void): DatabaseClient {
  const database = ++lastDatabase;
  shared ??= startThread();
  const thread = shared;
  thread.blocked.set(database, onBlocked);
  thread.post({ kind: 'open', database, settings });
  return {
    ask: (session, work) => thread.ask({ kind: 'work', database, session, id: ++lastId, work }),
    tell: (session, work) => thread.post({ kind: 'work', database, session, id: 0, work }),
  };
}

/** Keeps the process alive while a request is pending. If the thread crashes, so does the process. */
function startThread(): Thread {
  const worker = startProgram('lib/cloud/store/thread');
  const pending = new Map<number, PendingRequest>();
  const blocked = new Map<number, () => void>();
  let requests: Request[] = [];

  function post(request: Request): void {
    if (requests.push(request) > 1) return;
    queueMicrotask(() => {
      worker.postMessage(requests);
      requests = [];
    });
  }

  function receive(reply: Reply): void {
    if (reply.kind === 'blocked') blocked.get(reply.database)?.();
    else {
      const question = pending.get(reply.id);
      pending.delete(reply.id);
      if (reply.kind === 'done') question?.resolve(reply.result);
      else question?.reject(toError(reply.error));
    }
  }

  worker.on('message', (replies: Reply[]) => {
    for (const reply of replies) receive(reply);
    if (pending.size === 0) worker.unref();
  });
  worker.unref();
  return {
    post,
    blocked,
    ask(request) {
      worker.ref();
      return new Promise((resolve, reject) => {
        pending.set(request.id, { resolve, reject });
        post(request);
      });
    },
  };
}

function toError({ code, message }: { code: string; message: string }): Error {
  return Object.assign(new Error(message), { code });
}
