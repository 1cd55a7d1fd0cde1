// Closing a connection while the other end still sends resets it, which loses the answer. So if an answer is sent
// before the whole request has arrived, this keeps reading for a while.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../clock/index.js';

/** After this long without a byte, the other end has read its answer or never will. */
const SILENCE_MS = 1000;
const LONGEST_MS = 30_000;

/** Makes the server close connections that way if they are not kept alive. */
export function lingerOnClose(server: Server, clock: Clock): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  server.on('request', (request: IncomingMessage) => {
    const { socket } = request;
    if (!latest.has(socket)) {
      const destroySoon = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        const last = latest.get(socket)!;
        if (last.complete) return destroySoon();
        last.once('end', destroySoon);
        socket.end();
        linger(socket, clock);
      };
    }
    latest.set(socket, request);
  });
}

/** Destroys the connection once nothing arrives anymore, or after half a minute. */
export function linger(socket: Socket, clock: Clock): void {
  const end = clock.elapsed() + LONGEST_MS;
  let seen = socket.bytesRead;
  const timer = clock.every(SILENCE_MS, () => {
    if (socket.bytesRead === seen || clock.elapsed() > end) socket.destroy();
    seen = socket.bytesRead;
  });
  socket.once('close', timer.stop).once('error', () => socket.destroy());
}
