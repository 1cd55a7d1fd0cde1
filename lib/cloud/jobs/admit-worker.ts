// Opens the door for the worker elsewhere that trains an attempt, and records what it reports.
import type { JobEvent, RunDocument } from '../../contract/index.js';
import { takeAttempt } from '../runs/attempt-rows.js';
import { writeResumeArchive } from '../runs/resume-archive.js';
import type { RemoteAttempt } from '../seams/runner.js';
import type { JobContext } from './job-context.js';
import type { Journal } from './journal.js';
import type { Progress } from './progress.js';
import type { Attempt } from './record-events.js';
import { removeUnrecordedCheckpoints } from './run-folder.js';

interface Admission {
  attempt: Attempt & { org_id: string };
  document: RunDocument;
  progress: Progress;
  journal: Journal;
  heldUp(diskFault: string | null): void;
  signal: AbortSignal;
}

export async function admitWorker(
  { db, folders, runs, prepareMaterials, waits }: JobContext,
  { attempt, document, progress, journal, heldUp, signal }: Admission,
): Promise<RemoteAttempt> {
  waits.report(attempt, 'place', 'Its rows are being read.');
  const materials = await prepareMaterials(document, { caller: attempt.org_id, signal, isAccepted: true });
  waits.report(attempt, 'place', null);
  return runs.admit(document, {
    materials,
    heldUp,
    record: (event, next) => journal.record(event as JobEvent, next),
    settled: journal.settled,
    async take(claim) {
      const folder = folders.job(attempt.id);
      await removeUnrecordedCheckpoints(folder, progress.checkpointStep);
      await takeAttempt(db, document, claim);
      return writeResumeArchive(folder, progress.checkpointStep);
    },
  });
}
