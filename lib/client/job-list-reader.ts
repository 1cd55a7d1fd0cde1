// Reads a list of jobs by fetching only what changed since the last read.
import {
  applyJobChanges,
  CHANGES_STATUS,
  CHANGES_WANTED,
  type JobListChanges,
  type JobSummary,
} from '../contract/index.js';
import type { ChangesReader } from './transport.js';

/** `read` validates the response, unless that was done before. */
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
