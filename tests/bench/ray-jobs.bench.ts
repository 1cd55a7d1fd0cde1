// Jobs that are all asked for at once, on a Ray cluster of three nodes against one of one node: how long they take, and
// what the cloud's process takes meanwhile. 40 jobs of a tiny model, unless SVC_BENCH_JOBS says otherwise, each by svc's own
// engine. All nodes share this machine's cores. Linux; needs `ray/.venv`, which `npm run test:ray` makes.
import type { JobConfigInput } from '../../lib/contract/index.js';
import { createHome } from '../endurance/home.js';
import { cpuSecondsOf } from '../endurance/proc.js';
import { trainReference } from '../endurance/reference.js';
import { startCluster } from '../ray/support/cluster.js';
import { type Jobs, openJobs } from '../ray/support/jobs.js';
import { median } from './median.js';
import type { Row } from './table.js';

export const name = 'jobs on a Ray cluster';

const JOBS = Number(process.env.SVC_BENCH_JOBS ?? 40);
const NODES = [1, 3];

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of NODES) rows.push(await measure(count));
  return rows;
}

async function measure(count: number): Promise<Row> {
  const cluster = await startCluster(Array.from({ length: count }, () => 1));
  const cloudOptions = ['--ray', cluster.url, '--ray-token-file', cluster.tokenFile];
  const home = await createHome({ cloudOptions });
  try {
    // Also sends the package to the cluster.
    const reference = await trainReference(home);
    const { pid } = await home.wake();
    const jobs = await openJobs(home);
    const [began, cpu] = [performance.now(), cpuSecondsOf(pid)];
    const ended = await runAll(jobs, { ...reference.config, engine: 'node' });
    const seconds = (performance.now() - began) / 1000;
    const cloudSeconds = cpuSecondsOf(pid) - cpu;
    return {
      nodes: count,
      jobs: ended.length,
      completed: ended.filter(({ status }) => status === 'completed').length,
      'makespan s': Number(seconds.toFixed(1)),
      'jobs/min': Number(((60 * ended.length) / seconds).toFixed(1)),
      'a job s, median': Number(median(ended.map(each => each.seconds)).toFixed(1)),
      'cloud CPU s': Number(cloudSeconds.toFixed(1)),
      'cloud CPU %': Number(((100 * cloudSeconds) / seconds).toFixed(1)),
    };
  } finally {
    await home.end();
    await cluster.close();
  }
}

interface EndedJob {
  status: string;
  /** From its worker's first word to its end. */
  seconds: number;
}

async function runAll(jobs: Jobs, config: JobConfigInput): Promise<EndedJob[]> {
  const ids: string[] = [];
  for (let i = 0; i < JOBS; i++) ids.push(await jobs.create(config));
  return Promise.all(ids.map(id => follow(jobs, id)));
}

async function follow(jobs: Jobs, id: string): Promise<EndedJob> {
  const log = await jobs.readLog(id);
  const at = (index: number) => Date.parse(log.at(index)!.event.timestamp!);
  const { job } = await jobs.cloud.getJob(id);
  return { status: job.status, seconds: (at(-1) - at(0)) / 1000 };
}
