// Tries to listen on an address of this machine, and tells why that fails.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The system's error code, `EADDRINUSE` say; undefined when listening works. */
export async function tryListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    const listening = once(server, 'listening');
    server.listen(port, host);
    await listening;
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    server.close();
  }
}
