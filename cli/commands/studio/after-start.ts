// What the browser app's first page does not need: loaded once Studio is running, so that the page is served sooner.
import { createStudioClient } from '../../../lib/client/index.js';
import { nodeEventSource, patientFetch } from '../../../lib/client/node.js';
import { identityLine } from '../../../lib/console/identity-line.js';
import { findEntry, openSession, type Session } from '../../../lib/sdk/index.js';
import { peekIdentity, type RunningStudio } from '../../../lib/studio/index.js';
import type { Io } from '../../command.js';
import { toSafeLine } from '../../style.js';
import type { Face } from './face.js';

/** The session for a Studio. Reports to the face when the local cloud is started. */
export function openSessionWith(face: Face, folder: string, { env }: Pick<Io, 'env'>): Session {
  const onCloudStart = (message: string) => {
    face.note(message);
    face.cloudAnswered();
  };
  return openSession({ folder, env, onCloudStart });
}

/** The dashboard calls Studio like the page does: over HTTP, with this launch's token. */
export function connectTo({ url, token }: RunningStudio) {
  const address = { baseUrl: url, token };
  return {
    client: createStudioClient({ ...address, fetch: patientFetch }),
    openEventSource: nodeEventSource(address),
  };
}

/**
 * This folder's identity in one line. Makes no network calls: an identity is created on Studio's first request for it.
 */
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

/** Null if the project has an entry file. */
export function findEntryFault(folder: string): Promise<string | null> {
  return findEntry(folder).then(
    () => null,
    ({ message }: Error) => message,
  );
}
