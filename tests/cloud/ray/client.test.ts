// The client of a Ray dashboard: what it sends, and what it says when the cluster does not do what it asks.

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createRayClient } from '../../../lib/cloud/ray/index.js';
import { listening } from '../../support/listening.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { type ScriptedRay, startScriptedRay, writeToken } from './scripted-ray.js';

const PACKAGE = { sha256: 'a'.repeat(64), bytes: new Uint8Array([1, 2, 3]) };
const SUBMISSION = { entrypoint: 'x', submission_id: 'svc-1-1', entrypoint_num_cpus: 0, runtime_env: {} };

function letAnswer(ray: ScriptedRay, status: number, body: string, headers = {}): void {
  ray.intercept = (_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };
}

describe('the client of a Ray cluster', () => {
  it('uploads a package once', async () => {
    const ray = await startScriptedRay();
    const client = createRayClient(ray);
    const name = `_ray_pkg_${PACKAGE.sha256}.zip`;
    expect(await client.ensurePackage(PACKAGE)).toBe(`gcs://${name}`);
    expect(await client.ensurePackage(PACKAGE)).toBe(`gcs://${name}`);
    expect([...ray.packages.get(name)!]).toEqual([1, 2, 3]);
    expect(ray.asked.filter(line => line.startsWith('PUT'))).toHaveLength(1);
  });

  it('submits twice without harm, because an ID is used once', async () => {
    const ray = await startScriptedRay();
    const client = createRayClient(ray);
    await client.submit(SUBMISSION);
    await client.submit(SUBMISSION);
    expect(ray.submissions.size).toBe(1);
    expect((await client.findSubmission('svc-1-1'))?.status).toBe('RUNNING');
  });

  type Client = ReturnType<typeof createRayClient>;
  const submit = (client: Client) => client.submit(SUBMISSION);
  const find = (client: Client) => client.findSubmission('svc-a-1');
  const readVersion = (client: Client) => client.readVersion();
  const NO_AGENT = 'No available agent to submit job, please try again later.';
  const has = (text: string) => expect.stringContaining(text);
  const awayWith = (status: number) => ({ kind: 'away', message: has(`does not answer (HTTP ${status}).`) });
  const TRACEBACK = 'Traceback (most recent call last):\n  File "x.py"\nValueError: no agent\n.\n';
  const REFUSED = { message: expect.stringMatching(/refused: ValueError: no agent$/) };
  const NO_DASHBOARD = { kind: 'unsupported', message: has("did not answer as Ray's dashboard does") };
  const GATEWAY = '<html>\n<h1>Bad Gateway</h1>\n</html>\n';

  it.each<[string, call: (client: Client) => Promise<unknown>, status: number, body: string, error: object]>([
    ['what Ray refused, from the last line of its traceback', submit, 500, TRACEBACK, REFUSED],
    ['a head whose agent is not there yet for one that is away', submit, 500, NO_AGENT, { kind: 'away' }],
    ['what is no dashboard of Ray for that', readVersion, 404, '{"error":"nothing here"}', NO_DASHBOARD],
    ['a page for no dashboard of Ray', readVersion, 200, '<html>', { kind: 'unsupported' }],
    ['a proxy whose head is gone for the head being away', find, 502, GATEWAY, awayWith(502)],
    ['a service that is unavailable for the head being away', find, 503, GATEWAY, awayWith(503)],
    ['a gateway that waited in vain for the head being away', find, 504, GATEWAY, awayWith(504)],
  ])('takes %s', async (_, call, status, body, error) => {
    const ray = await startScriptedRay();
    letAnswer(ray, status, body);
    await expect(call(createRayClient(ray))).rejects.toMatchObject(error);
  });

  it('takes what does not speak HTTP for no dashboard of Ray', async () => {
    const other = createServer(socket => socket.end('\x00\x01 hello\n'));
    const url = await listening(other);
    const message = has(`${url} does not speak HTTP`);
    const version = createRayClient({ url }).readVersion();
    await expect(version).rejects.toMatchObject({ kind: 'unsupported', message });
  });

  it('knows no submission that Ray does not have, and forgets and stops it without an error', async () => {
    const client = createRayClient(await startScriptedRay());
    expect(await client.findSubmission('svc-none')).toBeNull();
    await client.stop('svc-none');
    await client.forget('svc-none');
  });

  it('sends the token of its file, read again for each call', async () => {
    const ray = await startScriptedRay();
    ray.token = 'first';
    const tokenFile = await writeToken('first\n');
    const client = createRayClient({ url: ray.url, tokenFile });
    expect(await client.readVersion()).toBe('2.60.0');
    ray.token = 'second';
    await expect(client.readVersion()).rejects.toThrow(`refused the token in ${tokenFile}`);
    await writeFile(tokenFile, 'second');
    expect(await client.readVersion()).toBe('2.60.0');
  });

  it('asks for a token file if the cluster requires one, and refuses one without a token, or with several', async () => {
    const ray = await startScriptedRay();
    ray.token = 'secret';
    const none = { kind: 'unauthorized', message: has('--ray-token-file') };
    await expect(createRayClient(ray).readVersion()).rejects.toMatchObject(none);
    for (const text of ['', '  \n', 'one\ntwo']) {
      const client = createRayClient({ url: ray.url, tokenFile: await writeToken(text) });
      await expect(client.readVersion()).rejects.toThrow('contains no token');
    }
  });

  it('follows no redirect, so the token stays with the cluster', async () => {
    const [ray, other] = [await startScriptedRay(), await startScriptedRay()];
    letAnswer(ray, 302, '', { location: `${other.url}/api/version` });
    await expect(createRayClient(ray).readVersion()).rejects.toThrow('redirects');
    expect(other.asked).toEqual([]);
  });

  it('says that a cluster is away, also when it does not answer for 15 s', async () => {
    const nowhere = createRayClient({ url: 'http://127.0.0.1:1' });
    await expect(nowhere.listNodes()).rejects.toMatchObject({ kind: 'away' });
    const ray = await startScriptedRay();
    ray.intercept = () => true;
    const clock = createVirtualClock();
    const version = createRayClient({ url: ray.url, clock }).readVersion();
    version.catch(() => {});
    await until(() => ray.asked.length).toBe(1);
    await clock.pass(14_999);
    expect(await Promise.race([version, 'waits'])).toBe('waits');
    await clock.pass(1);
    await expect(version).rejects.toMatchObject({ kind: 'away', message: has('no answer in time') });
  });
});
