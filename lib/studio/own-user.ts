// Every account on this machine can reach loopback. Where the system reveals the user behind a connection, only our own
// user and root get an answer, including the page with the token.
import type { Socket } from 'node:net';
import { ApiError } from '../contract/index.js';
import { type Connection, findPeerUser, socketOf } from '../http/index.js';

const ROOT = 0;

type FindUser = (connection: Connection) => Promise<number | null>;

/** Looks up each connection once. Unknown users are let through; `docs/security.md` lists where that happens. */
export function createUserGuard(findUser: FindUser = findPeerUser): (request: Request) => Promise<void> {
  const users = new WeakMap<Socket, Promise<number | null>>();
  const own = process.getuid?.();

  function userOf(socket: Socket): Promise<number | null> {
    const user = users.get(socket) ?? findUser(socket as Connection);
    users.set(socket, user);
    return user;
  }

  return async request => {
    const socket = socketOf(request);
    if (own === undefined || !socket) return;
    const user = await userOf(socket);
    if (user !== null && user !== own && user !== ROOT) throw userNotAllowed(user, own);
  };
}

function userNotAllowed(user: number, own: number): ApiError {
  return new ApiError(
    'user_not_allowed',
    `This Studio belongs to user ID ${own}; you are user ID ${user}. Start your own with \`svc dev\`.`,
  );
}
