// What Studio's faces ask of the session and its clouds. Loaded once they are shown: it takes as long as the rest of a start.
import { identityLine } from '../../../lib/console/identity-line.js';
import { findEntry, findLocalCloud, openSession, type Session } from '../../../lib/sdk/index.js';
import { peekIdentity } from '../../../lib/studio/index.js';
import type { Io } from '../../command.js';
import { toSafeLine } from '../../style.js';

/** The face that is told. */
interface Told {
  note(line: string): void;
  cloudAnswered(): void;
}

/** The session for a Studio. Reports to the face when the local cloud is started. */
export function openSessionWith(face: Told, folder: string, { env }: Pick<Io, 'env'>): Session {
  const onCloudStart = (message: string) => {
    face.note(message);
    face.cloudAnswered();
  };
  return openSession({ folder, env, onCloudStart });
}

/**
 * This folder's identity in one line. Makes no network calls: an identity is created on Studio's first request for it.
 */
export async function describeCaller(session: Session): Promise<string> {
  try {
    const identity = await peekIdentity(session);
    if (identity) return `Identity: ${toSafeLine(identityLine(identity))}`;
    const chosen = await session.choose();
    const where = chosen.url === null ? `the ${chosen.key} cloud` : new URL(chosen.url).host;
    // Imported lazily because it loads the engine.
    const { findSignInWays } = await import('../cloud/sign-in-ways.js');
    const { anonymous, provider } = await findSignInWays(session.home, chosen);
    const next = anonymous ? '; opening Studio creates one' : provider ? '; run "svc login" to sign in' : '';
    return `No identity on ${where} yet${next}.`;
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

/** Starts the local cloud if it is the one in use. Studio works without it, so a failure is only reported. */
export async function wakeLocalCloud(session: Session, face: Told): Promise<void> {
  // An invalid cloud setting has already been reported with the identity.
  const chosen = await session.choose().catch(() => null);
  if (chosen?.url !== null) return;
  try {
    await session.reach();
    face.cloudAnswered();
  } catch (error) {
    face.note(`! ${(error as Error).message}\nStudio works without it and tries again when it is needed.`);
  }
}

/** A line that mentions the local cloud, which keeps running; null when the local cloud is not running or another cloud is in use. */
export async function cloudKeepsRunning(folder: string, env: Io['env']): Promise<string | null> {
  const { choose, home } = openSession({ folder, env });
  const chosen = await choose().catch(() => null);
  const cloud = chosen?.url === null ? await findLocalCloud(home).catch(() => null) : null;
  return cloud && `The cloud at ${cloud.url} is still running. To stop it, run "svc cloud stop".`;
}
