// Finds the job, endpoint or sweep that an argument names by its ID or a prefix of it, or the newest job.
import type { CloudClient } from '../../../lib/client/index.js';
import { type Deployment, findFault, type JobSummary, uuid } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command.js';
import { requireProjectClient } from './project-client.js';

interface FoundJob {
  cloud: CloudClient;
  id: string;
}

/** `latest`, or `latest:NAME` of jobs with that name, whatever became of it. */
export const LATEST = /^latest(?::(?<name>.+))?$/s;

export async function findJob(session: Session, typed: string): Promise<FoundJob> {
  const cloud = await requireProjectClient(session, 'jobs');
  if (findFault(uuid, typed, 'It') === null) return { cloud, id: typed.toLowerCase() };
  const { jobs } = await cloud.listJobs();
  const latest = LATEST.exec(typed);
  if (latest) return { cloud, id: pickNewest(jobs, latest.groups?.name).id };
  const describe = ({ name, status }: (typeof jobs)[number]) => `${name}, ${status}`;
  return { cloud, id: pickById(typed, jobs, { noun: 'job', list: 'svc jobs list', describe }).id };
}

function pickNewest(jobs: readonly JobSummary[], name: string | undefined): JobSummary {
  const newest = jobs.find(job => name === undefined || job.name === name);
  if (newest) return newest;
  throw new CommandError(
    name === undefined ? 'This project has no jobs yet.' : `There is no job named "${name}".`,
  );
}

interface FoundDeployment {
  cloud: CloudClient;
  deployment: Deployment;
}

/** By slug or ID. */
export async function findDeployment(session: Session, typed: string): Promise<FoundDeployment> {
  const cloud = await requireProjectClient(session, 'endpoints');
  const { deployments } = await cloud.listDeployments();
  const named = deployments.find(({ slug }) => slug === typed);
  const wording = { noun: 'endpoint', list: 'svc endpoints list', describe: ({ slug }: Deployment) => slug };
  return { cloud, deployment: named ?? pickById(typed, deployments, wording) };
}

interface Group {
  id: string;
  name: string;
}

/** Returns the sweep's full ID. */
export function findGroup(typed: string, jobs: readonly JobSummary[]): string {
  const groups = new Map<string, Group>();
  for (const { group, name } of jobs) if (group) groups.set(group.id, { id: group.id, name });
  const describe = ({ name }: Group) => name;
  return pickById<Group>(typed, [...groups.values()], { noun: 'sweep', list: 'svc jobs list', describe }).id;
}

interface Wording<Item> {
  noun: string;
  /** The command that lists these items. */
  list: string;
  describe(item: Item): string;
}

const SHOWN = 10;

/** Finds the one item whose ID starts with what was typed. */
export function pickById<Item extends { id: string }>(
  typed: string,
  items: readonly Item[],
  { noun, list, describe }: Wording<Item>,
): Item {
  const start = typed.toLowerCase();
  const exact = items.find(({ id }) => id.toLowerCase() === start);
  const matches = exact ? [exact] : start ? items.filter(({ id }) => id.toLowerCase().startsWith(start)) : [];
  const [first, ...others] = matches;
  if (!first)
    throw new CommandError(
      `There is no ${noun} "${typed}" in this project. Run "${list}" to see all ${noun}s.`,
    );
  if (others.length === 0) return first;
  const lines = matches.slice(0, SHOWN).map(item => `  ${item.id}  ${describe(item)}`);
  const more = matches.length > SHOWN ? [`  and ${matches.length - SHOWN} more`] : [];
  throw new CommandError(
    [`"${typed}" matches ${matches.length} IDs. Type more of the one you mean:`, ...lines, ...more].join(
      '\n',
    ),
  );
}
