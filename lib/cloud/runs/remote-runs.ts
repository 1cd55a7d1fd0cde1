// The attempts that this cloud is following, for the API that workers call.
import { randomBytes } from 'node:crypto';
import type { ApiError, RunDocument } from '../../contract/index.js';
import { hashToken, isSameText, readBearer } from '../auth/token.js';
import { cloudStarting } from '../health.js';
import type { RemoteAttempt } from '../seams/runner.js';
import type { Db } from '../store/db.js';
import { type AttemptKey, findAttempt, insertAttempt, removeAttempt } from './attempt-rows.js';
import { attemptOver, createRemoteRun, type RemoteRun, type RunHost, tokenInvalid } from './remote-run.js';

type Admission = Omit<RunHost, 'run' | 'url' | 'claimToken'> & {
  /** Workers may still be running it, since before this cloud was started. */
  isOpen: boolean;
};
type Leases = Parameters<typeof createRemoteRun>[2];

export interface RemoteRuns {
  /** Whether workers may still be running this attempt. */
  isOpen(key: AttemptKey): Promise<boolean>;
  /** Safe to repeat after a fault: nobody knows of an attempt that may or may not have been stored. */
  admit(run: RunDocument, host: Admission): Promise<RemoteAttempt>;
  /** Revokes all access to the attempt, or only stops following it. Writes nothing for one that ran here. */
  release(key: AttemptKey, how: 'over' | 'detached'): Promise<void>;
  /** The attempts being followed. */
  list(): (AttemptKey & { worker: string | null })[];
  /** The run that a worker's token grants access to. Throws if there is none. */
  require(key: AttemptKey, request: Request, token: 'claim' | 'run'): Promise<RemoteRun>;
}

export function createRemoteRuns(db: Db, url: string, leases: Leases): RemoteRuns {
  const followed = new Map<string, RemoteRun>();
  const nameOf = ({ jobId, attempt }: AttemptKey) => `${jobId}/${attempt}`;

  return {
    isOpen: async key => (await findAttempt(db, key)) !== null,
    async admit(run, { isOpen, ...host }) {
      const known = isOpen ? await findAttempt(db, run) : null;
      const claimToken = known ? null : randomBytes(32).toString('base64url');
      const stored = known ?? (await insertAttempt(db, run, hashToken(claimToken!)));
      const place = { url: `${url}/v1/runs/${nameOf(run)}`, claimToken };
      const remote = createRemoteRun({ run, ...place, ...host }, stored, leases);
      followed.set(nameOf(run), remote);
      return remote;
    },
    async release(key, how) {
      const remote = followed.get(nameOf(key));
      if (!remote) return;
      remote.close(how);
      if (how === 'over') await removeAttempt(db, key);
      followed.delete(nameOf(key));
    },
    list: () =>
      [...followed.values()].map(({ run: { jobId, attempt }, lease }) => ({
        jobId,
        attempt,
        worker: lease.claimedBy,
      })),
    async require(key, request, kind) {
      const token = hashToken(readBearer(request) ?? '');
      const stored = await findAttempt(db, key);
      const known = kind === 'claim' ? stored?.claim_hash : stored?.run_hash;
      if (!known || !isSameText(known, token)) throw tokenInvalid();
      const remote = followed.get(nameOf(key));
      if (!remote) throw await explainAbsence(db, key);
      if (kind === 'run') remote.assertHolder(token);
      return remote;
    },
  };
}

/** A cloud that has just started may not have loaded the attempt yet. */
async function explainAbsence(db: Db, { jobId, attempt }: AttemptKey): Promise<ApiError> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', jobId)
    .where('status', '=', 'running')
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  if (!job) return attemptOver();
  return cloudStarting();
}
