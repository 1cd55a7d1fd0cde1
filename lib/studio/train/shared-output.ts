// One socket for both stdout and stderr of a child, so that output arrives in the order it was printed. With two pipes,
// the order would be lost.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SharedOutput {
  /** Where the child's output arrives. */
  reader: Socket;
  /** Passed to the child as stdout and stderr; close it here after that. */
  writer: Socket;
}

/** Null if the system has no such sockets. */
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
