// svc doctor --ray and svc cloud start --ray, with a scripted cluster whose machines really ask a served cloud.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Check } from '../../cli/commands/doctor/check.js';
import { openBaseModel, type RunningCloud, runCloud } from '../../lib/cloud/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { type ScriptedRay, startScriptedRay } from '../cloud/ray/scripted-ray.js';
import { findFreePort } from '../support/free-port.js';
import { localCloud } from './support/local-cloud.js';
import { failure } from './support/project.js';

const place = localCloud();
const { svc, json } = place;
let ray: ScriptedRay;
beforeEach(async () => {
  ray = await startScriptedRay();
  // One machine, which does what `svc_ray.check` does.
  ray.onSubmit = async submission => {
    const { svc_cloud: url, svc_nonce: nonce } = submission.body.metadata ?? {};
    const asked = url ? await fetch(`${url}/v1/cloud?nonce=${nonce}`).catch(() => null) : null;
    const answer = asked?.ok ? await asked.json() : { problem: 'Connection refused' };
    const versions = { ray: ray.version, numpy: '2', safetensors: '0.8' };
    const about = { address: '10.0.0.7', python: '3.11.2', node: '24.19.0', versions };
    ray.logs = `svc-check ${JSON.stringify({ ...about, cloud: url ? answer : null })}\n`;
    submission.status = 'SUCCEEDED';
  };
});

/** Its checks of Ray. */
async function doctor(options: string): Promise<Check[]> {
  const { checks } = (await json(`doctor ${options}`)) as { checks: Check[] };
  return checks.filter(({ name }) => name.startsWith('ray'));
}

let served: RunningCloud | null = null;
afterEach(async () => {
  served?.stop();
  await served?.ended;
  served = null;
});
async function serve(): Promise<RunningCloud> {
  served = await runCloud({
    folder: place.home.folder,
    version: packageJson.version,
    baseModel: openBaseModel(place.model, 'test/model'),
    port: await findFreePort(),
  });
  return served;
}

describe('svc doctor --ray', () => {
  it('checks the cluster, its machines, and that they reach the local cloud', async () => {
    const { url } = await serve();
    const checks = await doctor(`--ray ${ray.url}`);
    const names = ['ray', 'ray-nodes', 'ray-workers', 'ray-engines', 'ray-gpus', 'ray-cloud'];
    expect(checks).toMatchObject(names.map(name => ({ name, status: 'ok' })));
    expect(checks.at(-1)!.message).toBe(`every machine reaches this cloud at ${url}`);
    expect(ray.submissions.size).toBe(0);
  });

  it('fails with what to do if they do not reach it, also as text', async () => {
    await serve();
    const { exitCode, stdout } = await svc(`doctor --ray ${ray.url} --advertise-url http://127.0.0.1:9`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('10.0.0.7 cannot reach this cloud at http://127.0.0.1:9: Connection refused');
    expect(stdout).toContain('→ Start the cloud with --advertise-url');
  });

  it('runs nothing on a cluster that refuses, and says that a cloud that is not running was not asked', async () => {
    expect((await doctor(`--ray ${ray.url}`)).at(-1)).toMatchObject({ name: 'ray-cloud', status: 'warning' });
    ray.token = 'secret';
    expect(await doctor(`--ray ${ray.url}`)).toMatchObject([{ name: 'ray', status: 'problem' }]);
    expect((await svc(`doctor --ray ${ray.url}`)).exitCode).toBe(1);
    expect(ray.asked.filter(line => line.startsWith('POST'))).toHaveLength(1);
  });
});

describe('svc cloud start --ray', () => {
  it('refuses a cluster that can never work, before anything starts', async () => {
    const start = () => svc(`cloud start --base-model ${place.model} --ray ${ray.url}`);
    ray.token = 'secret';
    expect(await start()).toMatchObject({ ...failure(1, 'requires a token'), stdout: '' });
    Object.assign(ray, { token: null, version: '2.9.3' });
    expect((await start()).stderr).toContain('Ray 2.9.3');
    expect(await json('cloud status')).toMatchObject({ running: false, options: {} });
  });

  it('starts with a warning while the cluster is away', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const { exitCode, stderr } = await svc(`cloud start --base-model ${place.model} --ray ${url}`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`Warning: The Ray cluster at ${url} does not answer`);
    expect(stderr).toContain('svc doctor --ray');
    const message = expect.stringContaining(url);
    expect(await doctor('--ray')).toMatchObject([{ name: 'ray', status: 'problem', message }]);
  });
});
