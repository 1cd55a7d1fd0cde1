// Servers of tests: each listens on a free port of this machine, and cuts its connections when it is closed.
import { once } from 'node:events';
import { Server as TlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export async function openServer(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    url: `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${port}`,
    /** Destroys the connections that are open now. */
    cut,
    async close() {
      cut();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Until the test is over. Returns its URL. */
export async function listening(server: Server): Promise<string> {
  const { url, close } = await openServer(server);
  onTestFinished(close);
  return url;
}
