// What Ray Serve is told: svc's own application, and everyone else's as it is there.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  findForeignOwner,
  isDeployed,
  mergeApps,
  readAppState,
  toAppConfig,
} from '../../../lib/cloud/ray/application.js';
import { serveResponse } from '../../../lib/cloud/ray/ray-responses.js';

const args = { url: 'https://cloud/v1/serving', modelTicket: 'm', callers: 'c', owner: 'me', engine: {} };
const replicas = { min: 1, max: 4 };
const given = { packageUri: 'gcs://p.zip', args, replicas, cpus: 2 };
const app = toAppConfig(given);
const at = new URL('http://127.0.0.1:8000');
const other = { name: 'shop', import_path: 'shop:app', runtime_env: { env_vars: { KEY: 'secret' } } };
const read = (value: unknown) => z.parse(serveResponse, value);
const http_options = { host: '0.0.0.0', port: 8000, root_path: '' };
const STARTED = { proxy_location: 'EveryNode', http_options, target_capacity: 50 };
const toRunning = (config: object | null) => ({ status: 'RUNNING', deployed_app_config: config });
const running = (...apps: { name: string }[]) =>
  read({
    ...STARTED,
    applications: Object.fromEntries(apps.map(config => [config.name, toRunning(config)])),
  });

describe('the application svc', () => {
  it('has the bounds of its replicas, the engine of a worker, and no usage statistics', () => {
    const env_vars = { RAY_USAGE_STATS_ENABLED: '0', SVC_NODE_PACKAGE: 'svc_node' };
    const deployment = { name: 'engine', ray_actor_options: { num_cpus: 2 } };
    expect(app).toMatchObject({
      ...{ name: 'svc', route_prefix: '/svc', args, runtime_env: { working_dir: 'gcs://p.zip', env_vars } },
      deployments: [{ ...deployment, autoscaling_config: { min_replicas: 1, max_replicas: 4 } }],
    });
  });

  it('is put beside the applications that are there, with what Serve was started with', () => {
    expect(mergeApps(running(other), app, at)).toEqual({ ...STARTED, applications: [other, app] });
  });

  it('replaces its former self alone, and goes alone', () => {
    const former = toAppConfig({ ...given, cpus: 1 });
    expect(mergeApps(running(other, former), app, at).applications).toEqual([other, app]);
    expect(mergeApps(running(other, app), null, at).applications).toEqual([other]);
  });

  it('leaves out applications that a program started, which Serve keeps', () => {
    expect(mergeApps(read({ applications: { run: toRunning(null) } }), app, at).applications).toEqual([app]);
  });

  it('starts Serve where it is reached, if it does not run', () => {
    const startedAt = (url: string) => mergeApps(read({ applications: {} }), app, new URL(url));
    const here = { proxy_location: 'HeadOnly', http_options: { host: '127.0.0.1', port: 8123 } };
    expect(startedAt('http://127.0.0.1:8123')).toMatchObject(here);
    const far = { http_options: { host: '0.0.0.0', port: 443 } };
    expect(startedAt('https://serve.example')).toMatchObject(far);
  });

  it('is not put if Ray hides parts of other applications', () => {
    const hidden = { ...other, runtime_env: { env_vars: { KEY: '<redacted>' } } };
    expect(() => mergeApps(running(hidden), app, at)).toThrow(/hides parts of the applications/);
  });

  it('is there if it was put with the same settings', () => {
    expect(isDeployed(running(other, app), app)).toBe(true);
    expect(isDeployed(running(other), app)).toBe(false);
    for (const change of [{ cpus: 3 }, { replicas: { min: 2, max: 4 } }, { args: { ...args, url: 'x' } }])
      expect(isDeployed(running(app), toAppConfig({ ...given, ...change }))).toBe(false);
  });

  it('says which other cloud owns it', () => {
    expect(findForeignOwner(running(app), 'me')).toBeNull();
    expect(findForeignOwner(running(app), 'you')).toBe('me');
    expect(findForeignOwner(running(other), 'you')).toBeNull();
  });

  it('has as many replicas as run', () => {
    const deployments = { engine: { replicas: [{ state: 'RUNNING' }, { state: 'STARTING' }] } };
    const svc = { status: 'DEPLOYING', message: 'wait', deployments };
    const details = read({ applications: { svc } });
    expect(readAppState(details)).toEqual({ status: 'DEPLOYING', message: 'wait', running: 1 });
    expect(readAppState(read({}))).toEqual({ status: null, message: '', running: 0 });
  });
});
