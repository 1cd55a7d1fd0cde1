// The job that an argument names by its ID or the start of its ID.
import type { CloudClient } from '../../../lib/client/index.js';
import { findFault, uuid } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { pickById } from './pick.js';
import { requireProjectClient } from './project-client.js';

interface FoundJob {
  cloud: CloudClient;
  id: string;
}

export async function findJob(session: Session, typed: string): Promise<FoundJob> {
  const cloud = await requireProjectClient(session, 'jobs');
  if (findFault(uuid, typed, 'It') === null) return { cloud, id: typed.toLowerCase() };
  const { jobs } = await cloud.listJobs();
  const describe = ({ name, status }: (typeof jobs)[number]) => `${name}, ${status}`;
  return { cloud, id: pickById(typed, jobs, { noun: 'job', list: 'svc jobs list', describe }).id };
}
