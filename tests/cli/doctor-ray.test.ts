// svc doctor --ray and svc cloud start --ray, with a scripted cluster whose machines really ask a served cloud.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Check } from '../../cli/commands/doctor/check.js';
import { openBaseModel, type ServedCloud, serveCloud } from '../../lib/cloud/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { type ScriptedRay, startScriptedRay } from '../cloud/ray/scripted-ray.js';
import { findFreePort, type Home, openHome } from '../sdk/local-cloud/homes.js';
import { callCli } from '../support/cli.js';
import { makeModelFolder } from '../support/tiny-model.js';

let model: string;
let home: Home;
beforeAll(async () => {
  model = await makeModelFolder();
  home = await openHome();
});
afterAll(async () => {
  await home.close();
  await rm(model, { recursive: true });
});

async function doctor(...words: string[]) {
  const { exitCode, stdout, stderr } = await callCli(['doctor', '--json', ...words], { env: home.env });
  const { checks } = JSON.parse(stdout || '{"checks":[]}') as { checks: Check[] };
  return { exitCode, stderr, checks: checks.filter(({ name }) => name.startsWith('ray')) };
}

async function serve(): Promise<ServedCloud> {
  const served = await serveCloud({
    folder: home.folder,
    version: packageJson.version,
    baseModel: openBaseModel(model, 'test/model'),
    port: await findFreePort(),
  });
  onTestFinished(async () => {
    served.stop();
    await served.ended;
  });
  return served;
}

/** One machine, which does what `svc_ray.check` does. */
function letMachinesAsk(ray: ScriptedRay): void {
  ray.onSubmit = async submission => {
    const { svc_cloud: url, svc_nonce: nonce } = submission.body.metadata ?? {};
    const asked = url ? await fetch(`${url}/v1/cloud?nonce=${nonce}`).catch(() => null) : null;
    const answer = asked?.ok ? await asked.json() : { problem: 'Connection refused' };
    const versions = { ray: ray.version, numpy: '2', safetensors: '0.8' };
    const about = { address: '10.0.0.7', python: '3.11.2', node: '24.19.0', versions };
    ray.logs = `svc-check ${JSON.stringify({ ...about, cloud: url ? answer : null })}\n`;
    submission.status = 'SUCCEEDED';
  };
}

describe('svc doctor --ray', () => {
  it('checks the cluster, its machines, and that they reach the local cloud', async () => {
    const ray = await startScriptedRay();
    letMachinesAsk(ray);
    const { url } = await serve();
    const { checks, stderr } = await doctor('--ray', ray.url);
    expect(stderr).toBe('');
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'ray ok',
      'ray-nodes ok',
      'ray-workers ok',
      'ray-engines ok',
      'ray-gpus ok',
      'ray-cloud ok',
    ]);
    expect(checks.at(-1)!.message).toBe(`every machine reaches this cloud at ${url}`);
    expect(ray.submissions.size).toBe(0);
  });

  it('fails with what to do if they do not reach it, also as text', async () => {
    const ray = await startScriptedRay();
    letMachinesAsk(ray);
    await serve();
    const { exitCode, stdout } = await callCli(
      ['doctor', '--ray', ray.url, '--advertise-url', 'http://127.0.0.1:9'],
      { env: home.env },
    );
    expect(exitCode).toBe(1);
    expect(stdout).toContain('10.0.0.7 cannot reach this cloud at http://127.0.0.1:9: Connection refused');
    expect(stdout).toContain('→ Start the cloud with --advertise-url');
  });

  it('runs nothing on a cluster that refuses, and says that a cloud that is not running was not asked', async () => {
    const ray = await startScriptedRay();
    letMachinesAsk(ray);
    const { checks } = await doctor('--ray', ray.url);
    expect(checks.at(-1)).toMatchObject({ name: 'ray-cloud', status: 'warning' });
    ray.token = 'secret';
    const refused = await doctor('--ray', ray.url);
    expect(refused).toMatchObject({ exitCode: 1, checks: [{ name: 'ray', status: 'problem' }] });
    expect(ray.asked.filter(line => line.startsWith('POST'))).toHaveLength(1);
  });

  it('wants a URL that it can use', async () => {
    expect((await doctor('--ray')).stderr).toContain('The local cloud uses no Ray cluster');
    expect((await doctor('--ray', 'head:8265')).stderr).toContain('must be the URL of a Ray dashboard');
    expect((await doctor('http://head:8265')).stderr).toContain('A URL can only be used with --ray');
    expect((await doctor('--ray-token-file', 'x')).stderr).toContain(
      '--ray-token-file can only be used with --ray',
    );
    for (const url of ['http://cloud.example', 'ftp://cloud.example', 'cloud'])
      expect((await doctor('--ray', 'http://head:8265', '--advertise-url', url)).stderr).toContain(
        '--advertise-url must start with https://',
      );
  });
});

describe('svc cloud start --ray', () => {
  const start = (...words: string[]) => callCli(['cloud', 'start', ...words], { env: home.env });

  it('refuses a cluster that can never work, before anything starts', async () => {
    const ray = await startScriptedRay();
    ray.token = 'secret';
    const refused = await start('--base-model', model, '--ray', ray.url);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('requires a token');
    ray.token = null;
    ray.version = '2.9.3';
    expect((await start('--base-model', model, '--ray', ray.url)).stderr).toContain('Ray 2.9.3');
    const status = await callCli(['cloud', 'status', '--json'], { env: home.env });
    expect(JSON.parse(status.stdout)).toMatchObject({ running: false, options: {} });
  });

  it('starts with a warning while the cluster is away', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const started = await start('--base-model', model, '--ray', url);
    expect(started.exitCode).toBe(0);
    expect(started.stderr).toContain(`Warning: The Ray cluster at ${url} does not answer`);
    expect(started.stderr).toContain('svc doctor --ray');
    const again = await doctor('--ray');
    expect(again.checks).toMatchObject([
      { name: 'ray', status: 'problem', message: expect.stringContaining(url) },
    ]);
  });
});
