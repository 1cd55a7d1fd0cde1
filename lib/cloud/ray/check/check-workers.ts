// Runs a small program on each machine of a cluster that reports the installed software and whether it reaches the cloud. It
// receives only a URL and a random number, neither of which grants access to anything.
import { randomBytes } from 'node:crypto';
import { type Clock, realClock } from '../../../clock/index.js';
import type { NewSubmission, RayClient, RayPackage } from '../client.js';
import { RayError, untilAnswered } from '../ray-error.js';
import { isOver, lastLine, type Submission } from '../ray-responses.js';
import { type Finding, findingsOf, LOOK_AT_CLUSTER } from './check-cluster.js';
import { judgeMachines, readReport } from './machines.js';

interface WorkerCheck {
  client: RayClient;
  /** The Python package, without an engine. */
  content: RayPackage;
  /** The URL at which workers should reach the cloud, and its answer to a nonce. Null: no cloud is running. */
  cloud: { url: string; prove(nonce: string): string } | null;
  /** The cluster serves chats, too. */
  serves: boolean;
  clock?: Clock | undefined;
}

const PATIENCE_MS = 3 * 60_000;
const POLL_MS = 1000;

export async function checkWorkers(given: WorkerCheck): Promise<Finding[]> {
  const { client, content, cloud, clock = realClock } = given;
  const id = `svc-check-${randomBytes(8).toString('hex')}`;
  const nonce = randomBytes(16).toString('hex');
  try {
    const uri = await client.ensurePackage(content);
    // A cluster that has just started refuses submissions for a few seconds.
    const patience = { clock, signal: new AbortController().signal, firstMs: POLL_MS, onWait() {} };
    const submission = toSubmission(id, uri, cloud && { svc_cloud: cloud.url, svc_nonce: nonce });
    await untilAnswered(() => client.submit(submission), patience);
    const ended = await untilOver(client, clock, id);
    if (ended?.status !== 'SUCCEEDED') return [explainFailure(ended)];
    const report = readReport(await client.readLogs(id));
    const callBack = cloud && { url: cloud.url, proof: cloud.prove(nonce) };
    return judgeMachines(report, { callBack, serves: given.serves });
  } catch (error) {
    if (!(error instanceof RayError)) throw error;
    return [toProblem(error.message)];
  } finally {
    await clear(client, id);
  }
}

function toSubmission(id: string, uri: string, about: Record<string, string> | null): NewSubmission {
  return {
    entrypoint: 'python -m svc_ray.check',
    submission_id: id,
    entrypoint_num_cpus: 0,
    ...(about && { metadata: about }),
    runtime_env: { working_dir: uri, env_vars: { RAY_USAGE_STATS_ENABLED: '0' } },
  };
}

/** Null if it takes too long. */
async function untilOver(client: RayClient, clock: Clock, id: string): Promise<Submission | null> {
  for (const end = clock.elapsed() + PATIENCE_MS; clock.elapsed() < end; await clock.sleep(POLL_MS)) {
    const submission = await client.findSubmission(id);
    if (submission && isOver(submission)) return submission;
  }
  return null;
}

async function clear(client: RayClient, id: string): Promise<void> {
  try {
    const submission = await client.findSubmission(id);
    if (submission && !isOver(submission)) await client.stop(id);
    await client.forget(id);
  } catch (error) {
    // It has reported everything that matters, or the cluster is unreachable and that was reported.
    if (!(error instanceof RayError)) throw error;
  }
}

function explainFailure(submission: Submission | null): Finding {
  if (submission === null) return toProblem('the cluster did not finish a check in time');
  const why = lastLine(submission.message ?? '') || `it ended as ${submission.status}`;
  return toProblem(`the cluster could not run a check: ${why}`);
}

const toProblem = (message: string) => findingsOf('ray-workers').problem(message, LOOK_AT_CLUSTER);
