// What evaluations take from the project's trainer: the rows that it holds out, and the reward that it learns from.
import { resolve } from 'node:path';
import type { CloudClient } from '../../../lib/client/index.js';
import type { Job } from '../../../lib/contract/index.js';
import { findDataFault, openRewarding, readHeldOutRows } from '../../../lib/sdk/index.js';
import { keepResult } from '../../../lib/system/index.js';
import type { SessionContext } from '../project/session-command.js';
import { prepareTrainer } from '../start/prepare.js';

/** The trainer is loaded once, when it is first needed. */
export function openTrainerData(context: SessionContext) {
  const { io, note, session } = context;
  const load = keepResult(() => prepareTrainer(io.cwd, undefined, note));

  return {
    /** Null if it does not learn from rewards. */
    async reward() {
      const { options } = await load();
      return openRewarding(options, {
        cloud: () => session.projectClient(),
        clock: session.clock,
        env: session.env,
      });
    },
    /** As its jobs get them. */
    async heldOutRows(cloud: CloudClient, job: Job, signal?: AbortSignal) {
      const { options } = await load();
      const rows = await readHeldOutRows(options, job, session, signal);
      const part = (job.config as { evalFraction?: number }).evalFraction ? 'training' : 'evaluation';
      const source = part === 'training' ? options.dataset : options.evalDataset;
      // Mapped rows were uploaded from a temporary file.
      if (source?.type === 'file' && !source.map && !options.task)
        await warnAbout(context, cloud, job, { path: source.path, part }, signal);
      return rows;
    },
  };
}

export async function warnAbout(
  { session, note }: SessionContext,
  cloud: CloudClient,
  job: Job,
  { path, part }: Parameters<typeof findDataFault>[2],
  signal?: AbortSignal,
): Promise<void> {
  const fault = await findDataFault(cloud, job, { path: resolve(session.folder, path), part }, signal);
  if (fault) note(`Warning: ${fault}`);
}
