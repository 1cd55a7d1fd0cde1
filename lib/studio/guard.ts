// Who may call Studio, and what its responses allow a browser to do.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { ApiError, STUDIO_TOKEN_HEADER, STUDIO_TOKEN_QUERY } from '../contract/index.js';
import { type Connection, findPeerUser, socketOf } from '../http/index.js';
import { isFilePath } from './static-files.js';

const OUR_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i;
/** The only path that accepts the token in the query, because the browser's EventSource cannot send headers. */
const EVENTS_PATH = /^\/api\/jobs\/[\w-]+\/events$/;

/** 32 random bytes, new for each launch. */
export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Before routing: the host must be this machine's, and anything but the app's files requires this launch's token. */
export function createGuard(token: string): (request: Request) => void {
  const isToken = createComparison(token);
  return request => {
    const url = new URL(request.url);
    refuseOtherHosts(request, url);
    // Not "API paths need a token": a path can be spelled in many ways, and routing may decode it.
    if (isFilePath(url.pathname) && !isForAgents(url)) return;
    if (isToken(request.headers.get(STUDIO_TOKEN_HEADER) ?? '')) return;
    if (isForAgents(url) && isToken(bearerOf(request))) return;
    if (takesTokenInQuery(request, url) && isToken(url.searchParams.get(STUDIO_TOKEN_QUERY) ?? '')) return;
    throw new ApiError(
      'studio_token_invalid',
      'The Studio token is missing or from an earlier launch. Reload the page; scripts find the token in .svc/studio.json.',
    );
  };
}

/** Where agents that speak the Model Context Protocol call. They know no header but the usual one. */
export function isForAgents({ pathname }: URL): boolean {
  return pathname === '/mcp';
}

function bearerOf({ headers }: Request): string {
  return /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
}

/** The request line can name a host as well as the header: both must be ours. */
function refuseOtherHosts({ headers }: Request, url: URL): void {
  if (OUR_HOST.test(headers.get('host') ?? '') && OUR_HOST.test(url.host)) return;
  throw new ApiError('host_not_allowed', 'Studio only accepts requests for localhost and 127.0.0.1.');
}

function takesTokenInQuery({ method }: Request, { pathname }: URL): boolean {
  return method === 'GET' && EVENTS_PATH.test(pathname);
}

/** Constant-time for any input, because all digests have the same length. */
function createComparison(token: string): (actual: string) => boolean {
  const wanted = digest(token);
  return actual => timingSafeEqual(digest(actual), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const ROOT = 0;

type FindUser = (connection: Connection) => Promise<number | null>;

/**
 * Every account on this machine can reach loopback. Where the system reveals the user behind a connection, only our own
 * user and root get an answer, including the page with the token. Each connection is looked up once. Unknown users are let
 * through; `docs/security.md` lists where that happens.
 */
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

/** The page may load and call only Studio itself, nobody may frame or embed it, and other origins get nothing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** For every response. They are not cached unless they say otherwise: answers go stale at once, and some are secret. */
export function addSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  return response;
}
