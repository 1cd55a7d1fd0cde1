// Reads a list of jobs as what has changed since the last look at it.
import {
  applyJobChanges,
  CHANGES_STATUS,
  CHANGES_WANTED,
  type JobListChanges,
  type JobSummary,
} from '../contract/index.js';
import type { ChangesReader } from './transport.js';

/** `read` checks what came over the wire, or not if that was done before. */
export function createJobListReader(read: (value: unknown) => JobListChanges): ChangesReader {
  return {
    headers: CHANGES_WANTED,
    status: CHANGES_STATUS,
    apply(known, changes) {
      const list = known as { jobs: readonly JobSummary[] };
      const jobs = applyJobChanges(list.jobs, read(changes));
      if (jobs === null) return null;
      return jobs === list.jobs ? list : { jobs };
    },
  };
}
