// `npm run kill-loop:ray [-- --rounds 20 --what raylet|task|head|cloud|network --seed 1]`: kills one thing of a cloud on a
// Ray cluster at a random moment of each job (kill -9), or cuts a node off for a minute, and holds each job's log against
// one that nobody disturbed. Without `--what`, each in turn. Linux; `network` needs root.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isFinalStatus } from '../../lib/contract/index.js';
import { type Row, renderTable } from '../bench/table.js';
import { createHome, type Home } from '../endurance/home.js';
import { joinVerdicts, judgeLog, type NumberedEvent, type Verdict } from '../endurance/judge.js';
import { type Reference, trainReference } from '../endurance/reference.js';
import { createRandom } from '../support/random.js';
import { type RayNode, startCluster, type TestCluster } from './support/cluster.js';
import { type CutOff, createCutOff } from './support/cut-off.js';
import { type Jobs, openJobs } from './support/jobs.js';
import { TASK } from './support/kept-node.js';

const VICTIMS = ['raylet', 'task', 'head', 'cloud', 'network'] as const;
type Victim = (typeof VICTIMS)[number];

/** Longer than Ray takes to give a node up. */
const CUT_MS = 60_000;
/** How often another job is taken because one was not hit: it was over, or ran on the node that is never cut off. */
const MOST_MISSES = 9;
/** How long a job may take to come to its end after that. */
const SETTLE_MS = 15 * 60_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    what: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const { next } = createRandom(Number(options.seed));
const victims = VICTIMS.filter(victim => options.what === undefined || options.what === victim);
if (victims.length === 0) {
  console.error(`There is no ${options.what} to disturb. There are: ${VICTIMS.join(', ')}.`);
  process.exit(2);
}

interface Field {
  cluster: TestCluster;
  nodes: RayNode[];
  home: Home;
  jobs: Jobs;
  cutOff: CutOff | null;
  reference: Reference;
  /** How long a job takes that nobody disturbs, and how long of that its worker trains. */
  usualMs: number;
  workMs: number;
}

interface Outcome {
  verdict: Verdict;
  /** Whether there was something to kill. */
  isHit: boolean;
  /** How often a worker began. */
  starts: number;
}

interface Tally {
  verdicts: Verdict[];
  hits: number;
  starts: number;
  ms: number;
}

const undo: (() => unknown)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => endAll().finally(() => process.exit(1)));
try {
  const tallies = await loop(await prepare(undo));
  console.log(renderTable([...tallies].map(([victim, tally]) => toRow(victim, tally))));
} finally {
  await endAll();
}

async function endAll(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}

/** All in turn, so that a loop that is ended early has disturbed each. */
async function loop(field: Field): Promise<Map<Victim, Tally>> {
  const tallies = new Map(
    victims.map(victim => [victim, { verdicts: [], hits: 0, starts: 0, ms: 0 } as Tally]),
  );
  for (let round = 1; round <= rounds; round++)
    for (const [victim, tally] of tallies)
      for (let miss = 0; miss <= MOST_MISSES; miss++)
        if (await playRound(victim, `${victim}, round ${round} of ${rounds}`, tally, field)) break;
  return tallies;
}

/** Whether the job was hit. */
async function playRound(victim: Victim, name: string, tally: Tally, field: Field): Promise<boolean> {
  const began = performance.now();
  const { verdict, isHit, starts } = await disturbJob(victim, field);
  await untilWhole(field);
  const ms = performance.now() - began;
  tally.verdicts.push(verdict);
  tally.hits += Number(isHit);
  tally.starts += starts;
  tally.ms += ms;
  const wrong = Object.values(verdict).flat() as string[];
  if (wrong.length > 0) process.exitCode = 1;
  const outcome = wrong.join('; ') || (isHit ? 'as if nothing had been' : 'not hit');
  console.log(`${name}, ${(ms / 1000).toFixed(0)} s, ${starts} starts: ${outcome}`);
  return isHit;
}

/** The head may take a raylet for alive that was just killed. */
async function untilWhole({ cluster, nodes }: Field): Promise<void> {
  for (const node of nodes) while ((await node.findProcesses('raylet')).length === 0) await sleep(200);
  await cluster.untilAlive(1 + nodes.length);
}

function toRow(victim: Victim, { verdicts, hits, starts, ms }: Tally): Row {
  const { lost, doubled, wrong } = joinVerdicts(verdicts);
  return {
    disturbed: victim,
    jobs: verdicts.length,
    hit: hits,
    'starts of a worker': starts,
    lost: lost.length,
    doubled: doubled.length,
    wrong: wrong.length,
    seconds: Math.round(ms / 1000),
  };
}

async function prepare(undo: (() => unknown)[]): Promise<Field> {
  const cutOff = victims.includes('network') ? createCutOff() : null;
  if (cutOff) undo.push(cutOff.close);
  const cluster = await startCluster([], cutOff?.addresses.head);
  undo.push(cluster.close);
  const inside = cutOff && { address: cutOff.addresses.inside, within: cutOff.within };
  const nodes = await Promise.all([
    cluster.addNode(1, inside ?? {}),
    cluster.addNode(1, cutOff ? { address: cutOff.addresses.outside } : {}),
  ]);
  const home = await createHome({
    cloudOptions: ['--ray', cluster.url, '--ray-token-file', cluster.tokenFile],
  });
  undo.push(home.end);
  await cutOff?.openTunnel((await home.wake()).port);
  const reference = await trainReference(home);
  const jobs = await openJobs(home);
  const ended = reference.log.at(-1)!.event;
  const { job } = await jobs.cloud.getJob(ended.jobId);
  const endedAt = Date.parse(ended.timestamp!);
  const usualMs = endedAt - Date.parse(job.createdAt);
  const began = reference.log.find(({ event }) => event.type === 'training.started')!.event;
  const workMs = endedAt - Date.parse(began.timestamp!);
  return { cluster, nodes, home, cutOff, reference, usualMs, workMs, jobs };
}

async function disturbJob(victim: Victim, field: Field): Promise<Outcome> {
  const { jobs, reference } = field;
  const id = await jobs.create({ ...reference.config, engine: 'node' });
  const log = Promise.race([jobs.readLog(id), tooLate(jobs, id)]);
  log.catch(() => {});
  const isHit = await disturb(victim, field, id);
  const events = await log;
  const end = events.at(-1)?.event;
  const status = end?.type === 'end' ? end.status : 'running';
  const verdict = judgeLog({ id, status }, events, reference.log);
  if (Object.values(verdict).flat().length > 0) console.error(await explain(field, id));
  return { verdict, isHit, starts: events.filter(({ event }) => event.type === 'training.started').length };
}

/** What it says by then, which is not what it should. */
async function tooLate({ cloud }: Jobs, id: string): Promise<NumberedEvent[]> {
  await sleep(SETTLE_MS, undefined, { ref: false });
  await cloud.cancelJob(id);
  return [];
}

/** What the cloud's log says of the job. */
async function explain({ home }: Pick<Field, 'home'>, id: string): Promise<string> {
  const { stdout } = await home.svc('cloud', 'logs');
  return stdout
    .split('\n')
    .filter(line => line.includes(id))
    .join('\n');
}

/** Whether there was something of the job to hit. */
async function disturb(victim: Victim, field: Field, jobId: string): Promise<boolean> {
  if (victim !== 'head' && victim !== 'cloud') {
    const node = await waitAtWork(field, jobId);
    return node !== null && disturbNode(victim, node, field);
  }
  // At any moment of the job, from before it was submitted to its last words.
  await sleep(next() * field.usualMs);
  await (victim === 'head' ? field.cluster.restartHead() : killCloud(field));
  return true;
}

async function killCloud(field: Field): Promise<void> {
  process.kill((await field.home.wake()).pid, 'SIGKILL');
  await sleep(next() * 3000);
  await untilAnswered(field);
}

async function disturbNode(
  victim: 'raylet' | 'task' | 'network',
  node: RayNode,
  { cutOff }: Field,
): Promise<boolean> {
  if (victim !== 'network') {
    const pids = await node.findProcesses(victim === 'raylet' ? 'raylet' : TASK);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    return pids.length > 0;
  }
  if (node.address !== cutOff!.addresses.inside) return false;
  cutOff!.cut();
  await sleep(CUT_MS);
  cutOff!.restore();
  return true;
}

/** The node that trains, at a random moment of its work; null if it was not seen. */
async function waitAtWork({ nodes, jobs, workMs }: Field, jobId: string): Promise<RayNode | null> {
  for (;;) {
    const node = await findBusy(nodes);
    if (node) {
      await sleep(next() * workMs);
      return node;
    }
    if (isFinalStatus((await jobs.cloud.getJob(jobId)).job.status)) return null;
    await sleep(20);
  }
}

async function findBusy(nodes: readonly RayNode[]): Promise<RayNode | null> {
  for (const node of nodes) if ((await node.findProcesses(TASK)).length > 0) return node;
  return null;
}

/** What was killed may be there for a moment, and connections to it are noticed to be broken when they are used again. */
async function untilAnswered({ home, jobs: { cloud } }: Field): Promise<void> {
  for (;;) {
    await home.wake();
    const answered = await cloud.listJobs().catch(() => null);
    if (answered) return;
    await sleep(200);
  }
}
