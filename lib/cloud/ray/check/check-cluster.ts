// Checks whether a Ray cluster can run jobs, as far as its dashboard shows: it responds, accepts the token, is new enough,
// and has usable nodes. Starts nothing there.
import type { ClusterNode } from '../../../contract/index.js';
import type { RayClient } from '../client.js';
import { toNodes } from '../cluster.js';
import { RayError, type RayErrorKind } from '../ray-error.js';

export interface ClusterFindings {
  findings: Finding[];
  /** Why the check cannot continue; null if the cluster is usable. */
  obstacle: RayErrorKind | null;
}

const LEAST_RAY = '2.50';

const HINTS: Readonly<Record<RayErrorKind, string>> = {
  away: 'Check the URL and the network. On the head, "ray start --head --dashboard-host=0.0.0.0" listens beyond its own machine; the dashboard needs pip install "ray[default]".',
  unauthorized:
    'On a machine of the cluster, "ray get-auth-token" prints the token. Pass the file that contains it with --ray-token-file.',
  unsupported: 'Use the URL of the dashboard of Ray 2.50 or later, such as http://head:8265.',
  rejected: "Look at the head's own log, below /tmp/ray/session_latest/logs.",
};

export async function checkCluster(client: RayClient): Promise<ClusterFindings> {
  const { ok, problem } = findingsOf('ray');
  try {
    const version = await client.readVersion();
    if (version.localeCompare(LEAST_RAY, 'en', { numeric: true }) < 0) {
      const hint = `svc needs Ray ${LEAST_RAY} or later on every machine: pip install --upgrade "ray[default]"`;
      const old = problem(`Ray ${version} at ${client.url} is too old`, hint);
      return { obstacle: 'unsupported', findings: [old] };
    }
    const nodes = checkNodes(toNodes(await client.listNodes(), null));
    return { obstacle: null, findings: [ok(`Ray ${version} at ${client.url}`), nodes] };
  } catch (error) {
    if (!(error instanceof RayError)) throw error;
    return { obstacle: error.kind, findings: [problem(error.message, HINTS[error.kind])] };
  }
}

function checkNodes(nodes: readonly ClusterNode[]): Finding {
  const { ok, problem } = findingsOf('ray-nodes');
  const sum = (share: 'cpus' | 'gpus') => nodes.reduce((total, node) => total + node[share].total, 0);
  const [cpus, gpus] = [sum('cpus'), sum('gpus')];
  const counts = [toCount(nodes.length, 'node'), toCount(cpus, 'CPU')];
  if (cpus === 0)
    return problem(
      `${counts.join(' with ')}: no job can run`,
      'Add a node with CPUs: ray start --address=HEAD:6379. A job takes one CPU unless its trainer sets resources.',
    );
  const noGpus = 'no GPUs, so trainers with resources: { gpus: 1 } would wait';
  return ok([...counts, gpus > 0 ? toCount(gpus, 'GPU') : noGpus].join(', '));
}

const toCount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** The result of one check. */
export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
  /** The next step; null if nothing needs to be done. */
  hint: string | null;
}

export function findingsOf(name: string) {
  return {
    ok: (message: string): Finding => ({ name, status: 'ok', message, hint: null }),
    warning: (message: string, hint: string): Finding => ({ name, status: 'warning', message, hint }),
    problem: (message: string, hint: string): Finding => ({ name, status: 'problem', message, hint }),
  };
}

export const LOOK_AT_CLUSTER =
  'Look at the cluster with "ray status" on its head, and at the log below /tmp/ray/session_latest/logs there.';

const MOST_NAMES = 3;

/** "10.0.0.7, 10.0.0.8 and 4 more" */
export function listNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
