// Callers' credentials: an anonymous identity's token, or the secret in `cloud.json`.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, CLOUD_SECRET_HEADER } from '../../contract/index.js';

const MARK = 'svc_anon_';

/** 32 random bytes after a prefix that distinguishes it from other tokens. Only its SHA-256 is stored. */
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

/**
 * HMAC-SHA256 of the nonce, in hex. With it, the cloud proves that it wrote `cloud.json` before anyone sends it a token.
 */
export function proveSecret(secret: string, nonce: string): string {
  return createHmac('sha256', secret).update(nonce).digest('hex');
}

/** Callers with the secret can read the cloud's files. */
export function knowsSecret(request: Request, secret: string): boolean {
  const given = request.headers.get(CLOUD_SECRET_HEADER);
  return given !== null && isSameText(given, secret);
}

export function requireSecret(request: Request, secret: string): void {
  if (knowsSecret(request, secret)) return;
  throw new ApiError(
    'unauthenticated',
    `This requires the secret from cloud.json: send it in ${CLOUD_SECRET_HEADER}.`,
  );
}
