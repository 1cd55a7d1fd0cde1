// The secret in `cloud.json`. A caller who sends it can read the cloud's files. With its HMAC, the cloud proves that it
// wrote them before anyone sends it a token.
import { createHmac } from 'node:crypto';
import { ApiError, CLOUD_SECRET_HEADER } from '../../contract/index.js';
import { isSameText } from './token.js';

/** HMAC-SHA256 of the nonce, in hex. */
export function proveSecret(secret: string, nonce: string): string {
  return createHmac('sha256', secret).update(nonce).digest('hex');
}

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
