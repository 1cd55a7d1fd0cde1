// Databases in the thread that asks for them, with the time of a test: what waits for a lock waits in virtual time.
import type { Clock } from '../../../lib/clock/index.js';
import { HostedDatabase } from '../../../lib/cloud/store/hosted-database.js';
import { openConnection, type QueryResult } from '../../../lib/cloud/store/sqlite.js';
import type { openInThread } from '../../../lib/cloud/store/thread-client.js';
import type { Reply, Work } from '../../../lib/cloud/store/thread-messages.js';

interface Asked {
  resolve(result: QueryResult): void;
  reject(error: Error): void;
}

export function openHere(clock: Clock): typeof openInThread {
  return (settings, onBlocked) => {
    const asked = new Map<number, Asked>();
    let lastId = 0;
    const reply = (message: Reply) => {
      if (message.kind === 'blocked') return onBlocked();
      const question = asked.get(message.id);
      asked.delete(message.id);
      if (message.kind === 'done') question?.resolve(message.result);
      else question?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
    };
    const hosted = new HostedDatabase({ ...settings, clock, database: 1, reply, onClosed: () => {} });
    const send = (session: number, id: number, work: Work) =>
      hosted.handle({ kind: 'work', database: 1, session, id, work });
    return {
      ask: (session, work) =>
        new Promise((resolve, reject) => {
          asked.set(++lastId, { resolve, reject });
          send(session, lastId, work);
        }),
      tell: (session, work) => send(session, 0, work),
    };
  };
}

/** Takes the lock for writing, as another process does. Returns what gives it back. */
export function lockHere(file: string): () => void {
  const other = openConnection(file, []);
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}
