// Jobs that wait for a slot, in order. Queued jobs with the same resources form a group: if the first does not fit, none
// does, so that checking the queue costs the same however many jobs are in it.
import { type SqlBool, sql } from 'kysely';
import type { RunResources } from '../../contract/index.js';
import type { Db } from '../store/db.js';

export interface WaitingJob {
  id: string;
  project_id: string;
  number: number;
}

export interface NextJob {
  job: Pick<WaitingJob, 'id' | 'project_id'>;
  resources: RunResources;
}

interface Group {
  /** The resources as in the job's config; empty for none. */
  key: string;
  resources: RunResources;
  /** The first jobs of the group, in order. */
  jobs: WaitingJob[];
  /** Where to continue reading; null if there are no more. */
  from: number | null;
}

interface JobLine {
  /** The first job of all groups that were not skipped. */
  next(): Promise<{ job: WaitingJob; resources: RunResources } | null>;
  /** Continues after this job. */
  take(): void;
  /** Skips this job and all others with the same resources. */
  setAside(): void;
  /** The first jobs of the skipped groups. */
  readonly aside: readonly WaitingJob[];
}

const BATCH = 50;
/** How many groups one look considers. The next look starts after them. */
const MOST_GROUPS = 100;

// Repeats the condition of the index `jobs_queued`; SQLite uses the index only for exactly these terms.
const KEY = sql<string>`coalesce(json_extract(config, '$.resources'), '')`;
const IS_QUEUED = sql<SqlBool>`status = 'queued' AND paused_at IS NULL`;

/**
 * `isTaken`: whether the job already has a slot, or should not get one now. `after`: the last group of the previous look.
 */
export async function openLine(
  db: Db,
  isTaken: (id: string) => boolean,
  after: string | null,
): Promise<{ line: JobLine; last: string | null }> {
  const { keys, last } = await listKeys(db, after);
  const groups = keys.map(toGroup);
  let aside: Group[] = [];
  let current: Group | null = null;

  async function fill(group: Group): Promise<void> {
    while (group.jobs.length === 0 && group.from !== null) {
      const rows = await readJobs(db, group.key, group.from);
      group.from = rows.length < BATCH ? null : rows.at(-1)!.number;
      group.jobs = rows.filter(({ id }) => !isTaken(id));
    }
  }

  const line: JobLine = {
    async next() {
      current = null;
      for (const group of groups) {
        await fill(group);
        const [job] = group.jobs;
        if (job && (!current || job.number < (current as Group).jobs[0]!.number)) current = group;
      }
      return current && { job: (current as Group).jobs[0]!, resources: (current as Group).resources };
    },
    take: () => void current?.jobs.shift(),
    setAside() {
      if (!current) return;
      groups.splice(groups.indexOf(current), 1);
      aside = [...aside, current];
    },
    get aside() {
      return aside.flatMap(({ jobs }) => jobs);
    },
  };
  return { line, last };
}

const toGroup = (key: string): Group => ({
  key,
  resources: toResources(key),
  jobs: [],
  from: 0,
});

const toResources = (key: string) => (key === '' ? {} : (JSON.parse(key) as RunResources));

/** Reads the index key by key, starting after the last one and wrapping around. */
async function listKeys(db: Db, after: string | null): Promise<{ keys: string[]; last: string | null }> {
  const keys: string[] = [];
  let key = await nextKey(db, after);
  if (key === null && after !== null) key = await nextKey(db, null);
  for (let wrapped = after === null; key !== null && !keys.includes(key) && keys.length < MOST_GROUPS; ) {
    keys.push(key);
    key = await nextKey(db, key);
    if (key !== null || wrapped) continue;
    wrapped = true;
    key = await nextKey(db, null);
  }
  return { keys, last: keys.length < MOST_GROUPS ? null : keys.at(-1)! };
}

async function nextKey(db: Db, after: string | null): Promise<string | null> {
  const found = await db
    .selectFrom('jobs')
    .select(KEY.as('key'))
    .where(IS_QUEUED)
    .$if(after !== null, query => query.where(KEY, '>', after!))
    .orderBy(KEY)
    .limit(1)
    .executeTakeFirst();
  return found?.key ?? null;
}

function readJobs(db: Db, key: string, from: number): Promise<WaitingJob[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'project_id', 'number'])
    .where(IS_QUEUED)
    .where(KEY, '=', key)
    .where('number', '>', from)
    .orderBy('number')
    .limit(BATCH)
    .execute();
}

/** The first job without a slot that was running when the cloud ended. */
export async function findInterrupted(db: Db, taken: readonly string[]): Promise<NextJob | null> {
  const found = await db
    .selectFrom('jobs')
    .select(['id', 'project_id', KEY.as('key')])
    .where('status', '=', 'running')
    .where('paused_at', 'is', null)
    .$if(taken.length > 0, query => query.where('id', 'not in', taken))
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return found ? { job: found, resources: toResources(found.key) } : null;
}
