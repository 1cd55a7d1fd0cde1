// A connection that is closed while its other end still sends is reset, and the answer is lost with it. So whoever was
// answered before all of the request had come is read from for a while longer.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Without a byte for this long, the other end has read its answer or never will. */
const SILENCE_MS = 1000;
const LONGEST_MS = 30_000;

/** Makes the server's connections close that way when they are not kept alive. */
export function lingerOnClose(server: Server): void {
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
        linger(socket);
      };
    }
    latest.set(socket, request);
  });
}

/** Destroys the connection once nothing comes any more, or after half a minute. */
export function linger(socket: Socket): void {
  const end = Date.now() + LONGEST_MS;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead === seen || Date.now() > end) socket.destroy();
    seen = socket.bytesRead;
  }, SILENCE_MS).unref();
  socket.once('close', () => clearInterval(timer)).once('error', () => socket.destroy());
}
