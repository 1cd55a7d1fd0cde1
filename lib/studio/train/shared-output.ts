// One connection as both outputs of a child, so that what it prints arrives in the order in which it was printed; of two
// pipes nobody can tell what came first.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SharedOutput {
  /** Where the child's output arrives. */
  reader: Socket;
  /** What the child is given as stdout and as stderr; closed here once it has it. */
  writer: Socket;
}

/** Null where the system has no such sockets. */
export async function openSharedOutput(): Promise<SharedOutput | null> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-'));
  const server = createServer();
  try {
    const path = join(folder, 'output');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    accepted.catch(() => {});
    server.listen(path);
    await once(server, 'listening');
    const writer = connect(path);
    const [[reader]] = await Promise.all([accepted, once(writer, 'connect')]);
    return { reader, writer };
  } catch {
    return null;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
