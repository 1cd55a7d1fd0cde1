// Loopback is not a user: every account of this machine reaches it. Where the system tells whose connection it is, only
// our own user and root get an answer, the page with the token included.
import type { Socket } from 'node:net';
import { ApiError } from '../contract/index.js';
import { type Connection, findPeerUser, socketOf } from '../http/index.js';

const ROOT = 0;

export type FindUser = (connection: Connection) => Promise<number | null>;

/** Asks once for each connection. What the system does not tell is let through: `docs/security.md` says where. */
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
    `This Studio belongs to the user with the ID ${own}; you are the user with the ID ${user}. Start your own with \`svc dev\`.`,
  );
}
