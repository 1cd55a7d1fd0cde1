// A server of which a test decides every byte: it may accept and stay silent, drip, or vanish in the middle.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SilentServer {
  port: number;
  url: string;
  /** How many connections were accepted so far. */
  readonly accepted: number;
  close(): Promise<void>;
}

/** `onRequest` is called with the first bytes of each request. */
export async function startSilentServer(
  onRequest: (socket: Socket, bytes: string) => void = () => {},
): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer(socket => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.on('data', bytes => onRequest(socket, String(bytes)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get accepted() {
      return accepted;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
