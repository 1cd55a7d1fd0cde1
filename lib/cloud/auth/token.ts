// The token of an anonymous identity: 32 random bytes after a prefix that sets it apart from other tokens. Only its
// SHA-256 is stored.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const MARK = 'svc_anon_';

export function createAnonymousToken(): string {
  return MARK + randomBytes(32).toString('base64url');
}

export function isAnonymousToken(token: string): boolean {
  return token.startsWith(MARK);
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two texts in constant time. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map(text => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

/** The token in `Authorization: Bearer`; null if there is none. */
export function readBearer(request: Request): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}
