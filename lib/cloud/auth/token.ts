// The token of an anonymous identity: 32 random bytes behind a mark by which it is told from any other. Only its SHA-256
// is stored.
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

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [one, other] = [a, b].map(text => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

/** The token of `Authorization: Bearer`; null without one. */
export function readBearer(request: Request): string | null {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}
