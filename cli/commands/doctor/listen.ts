// Tries to listen on a local address.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The system's error code, such as `EADDRINUSE`; undefined on success. */
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
