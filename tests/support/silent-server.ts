// A server of which a test decides every byte: it may accept and stay silent, drip, or vanish in the middle.
import { createServer, type Socket } from 'node:net';
import { openServer } from './listening.js';

export type SilentServer = Awaited<ReturnType<typeof startSilentServer>>;

/** `onRequest` is called with the first bytes of each request. */
export async function startSilentServer(onRequest: (socket: Socket, bytes: string) => void = () => {}) {
  let accepted = 0;
  const opened = await openServer(
    createServer(socket => {
      accepted++;
      socket.on('data', bytes => onRequest(socket, String(bytes)));
    }),
  );
  return {
    ...opened,
    /** How many connections were accepted so far. */
    get accepted() {
      return accepted;
    },
  };
}
