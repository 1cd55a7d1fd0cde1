// Who calls from this folder, in a line. Calls nobody: an identity is made by the first who asks Studio for it.
import { identityLine } from '../../../lib/console/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { peekIdentity } from '../../../lib/studio/index.js';
import { toSafeLine } from '../../style.js';

export async function describeCaller(session: Session): Promise<string> {
  try {
    const identity = await peekIdentity(session);
    if (identity) return `You are ${toSafeLine(identityLine(identity))}`;
    const { key, url } = await session.choose();
    const where = url === null ? `the ${key} cloud` : new URL(url).host;
    return `You are nobody yet on ${where}: an anonymous identity is made when the page is opened.`;
  } catch (error) {
    return `! ${(error as Error).message}`;
  }
}
