// What `--follow` names: `best:JOB_ID`, or `latest:NAME` of a trainer.
import type { CloudTarget, Follow } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { createUsageError } from '../../command-error.js';
import { findJob } from '../project/find-job.js';

export async function readFollow(typed: string, session: Session, where: string): Promise<CloudTarget> {
  const [kind, ...rest] = typed.split(':');
  const name = rest.join(':').trim();
  if (name === '' || (kind !== 'best' && kind !== 'latest'))
    throw createUsageError(`"--follow" must be best:JOB_ID or latest:TRAINER, not "${typed}".`, where);
  const follow: Follow =
    kind === 'best' ? { kind, jobId: (await findJob(session, name)).id } : { kind, trainer: name };
  return { kind: 'follow', follow };
}
