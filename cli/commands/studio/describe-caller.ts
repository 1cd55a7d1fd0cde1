// This folder's identity in one line. Makes no network calls: an identity is created on Studio's first
// request for it.
import { identityLine } from '../../../lib/console/identity-line.js';
import type { Session } from '../../../lib/sdk/index.js';
import { peekIdentity } from '../../../lib/studio/index.js';
import { toSafeLine } from '../../style.js';

export async function describeCaller(session: Session): Promise<string> {
  try {
    const identity = await peekIdentity(session);
    if (identity) return `Identity: ${toSafeLine(identityLine(identity))}`;
    const { key, url } = await session.choose();
    const where = url === null ? `the ${key} cloud` : new URL(url).host;
    return `No identity on ${where} yet; opening Studio creates one.`;
  } catch (error) {
    return `! ${(error as Error).message}`;
  }
}
