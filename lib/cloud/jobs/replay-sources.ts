// The rows of the runs before, for a job that mixes some of them in: chosen when the job is created, so that each attempt, and a
// repetition, reads the same ones.
import { ApiError, type JobConfigInput } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import type { StoredConfig } from './defaults.js';

type Replayed = NonNullable<JobConfigInput['replaySources']>;

/** How many runs back. */
const MOST_RUNS = 20;

/**
 * The data sets of a job, of the one that it went on from, and so on, each once. A run that learned in another way ends the list,
 * as does one that was deleted. Throws if there are none, or if one cannot be read again.
 */
export async function listReplaySources(
  db: Pick<Db, 'selectFrom'>,
  orgId: string,
  jobId: string,
  method: StoredConfig['method'],
): Promise<Replayed> {
  const found = new Map<string, Replayed[number]>();
  for (let next: string | undefined = jobId, runs = 0; next !== undefined && runs < MOST_RUNS; runs++) {
    const job = await db
      .selectFrom('jobs')
      .select('config')
      .where('id', '=', next)
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    if (!job) break;
    const config = JSON.parse(job.config) as Partial<StoredConfig>;
    const { datasetSource: source, evalFraction } = config;
    if (!source || (config.method?.type ?? 'sft') !== (method?.type ?? 'sft')) break;
    if (source.type === 'blob')
      throw refusal(
        `The rows of job ${next} came from a URL and cannot be replayed. Upload them, or leave out \`replay\`.`,
      );
    found.set(JSON.stringify([source, evalFraction]), { source, ...(evalFraction && { evalFraction }) });
    next = config.from?.jobId;
  }
  if (found.size > 0) return [...found.values()];
  throw refusal(
    `Job ${jobId} has no rows that this run could replay: it was imported, or learned in another way. Leave out \`replay\`.`,
  );
}

function refusal(message: string): ApiError {
  return new ApiError('invalid_value', message, { param: 'config.replay' });
}
