// Starts the local cloud if it is the one in use. Studio works without it, so a failure is only reported.
import type { Session } from '../../../lib/sdk/index.js';
import type { Face } from './face.js';

export async function wakeLocalCloud(
  session: Session,
  face: Pick<Face, 'note' | 'cloudAnswered'>,
): Promise<void> {
  // A wrong choice of cloud has already been reported with the identity.
  const chosen = await session.choose().catch(() => null);
  if (chosen?.url !== null) return;
  try {
    await session.reach();
    face.cloudAnswered();
  } catch (error) {
    face.note(`! ${(error as Error).message}\nStudio works without it and tries again when it is needed.`);
  }
}
