// The thread that holds the databases, so that waiting for a disk or a lock never blocks the main one. Requests and
// replies travel in batches.
import { parentPort } from 'node:worker_threads';
import { realClock } from '../../clock/index.js';
import { HostedDatabase } from './hosted-database.js';
import type { Reply, Request } from './thread-messages.js';

const CLOSED = { code: 'SQLITE_MISUSE', message: 'The database is closed.' };

const port = parentPort!;
const databases = new Map<number, HostedDatabase>();
let replies: Reply[] = [];

function reply(message: Reply): void {
  if (replies.push(message) === 1) queueMicrotask(flush);
}

function flush(): void {
  port.postMessage(replies);
  replies = [];
}

port.on('message', (requests: Request[]) => {
  for (const request of requests) handle(request);
});

function handle(request: Request): void {
  const { database } = request;
  if (request.kind === 'work') {
    const hosted = databases.get(database);
    if (hosted) hosted.handle(request);
    else reply({ kind: 'failed', id: request.id, error: CLOSED });
  } else {
    const onClosed = () => databases.delete(database);
    databases.set(
      database,
      new HostedDatabase({ ...request.settings, clock: realClock, database, reply, onClosed }),
    );
  }
}
