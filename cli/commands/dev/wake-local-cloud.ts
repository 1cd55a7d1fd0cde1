// Has the local cloud run when it is the one that is meant. Studio is there without it, so a failure is only told.
import type { Session } from '../../../lib/sdk/index.js';
import type { Face } from './face.js';

export async function wakeLocalCloud(
  session: Session,
  face: Pick<Face, 'note' | 'cloudAnswered'>,
): Promise<void> {
  // What is wrong with the choice of a cloud was said when it was told who calls.
  const chosen = await session.choose().catch(() => null);
  if (chosen?.url !== null) return;
  try {
    await session.reach();
    face.cloudAnswered();
  } catch (error) {
    face.note(
      `! ${(error as Error).message}\nStudio runs without it. It is tried again when something needs it.`,
    );
  }
}
