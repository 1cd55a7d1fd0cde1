// What Ray Serve is told: svc's own application, and everyone else's as it is there.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  findForeignOwner,
  isDeployed,
  mergeApps,
  readAppState,
  serveAnswer,
  toAppConfig,
} from '../../../lib/cloud/ray/application.js';

const args = { url: 'https://cloud/v1/serving', modelTicket: 'm', callers: 'c', owner: 'me', engine: {} };
const given = {
  packageUri: 'gcs://p.zip',
  nodeFolder: 'svc_node',
  args,
  replicas: { min: 1, max: 4 },
  cpus: 2,
};
const app = toAppConfig(given);
const at = new URL('http://127.0.0.1:8000');
const other = { name: 'shop', import_path: 'shop:app', runtime_env: { env_vars: { KEY: 'secret' } } };
const read = (value: unknown) => z.parse(serveAnswer, value);
const running = (...apps: { name: string }[]) =>
  read({
    proxy_location: 'EveryNode',
    http_options: { host: '0.0.0.0', port: 8000, root_path: '' },
    target_capacity: 50,
    applications: Object.fromEntries(
      apps.map(config => [config.name, { status: 'RUNNING', deployed_app_config: config }]),
    ),
  });

describe('the application svc', () => {
  it('has the bounds of its replicas, the engine of a worker, and no usage statistics', () => {
    expect(app).toMatchObject({
      name: 'svc',
      route_prefix: '/svc',
      runtime_env: {
        working_dir: 'gcs://p.zip',
        env_vars: { RAY_USAGE_STATS_ENABLED: '0', SVC_NODE_PACKAGE: 'svc_node' },
      },
      deployments: [
        {
          name: 'engine',
          autoscaling_config: { min_replicas: 1, max_replicas: 4 },
          ray_actor_options: { num_cpus: 2 },
        },
      ],
      args,
    });
  });

  it('is put beside the applications that are there, with what Serve was started with', () => {
    expect(mergeApps(running(other), app, at)).toEqual({
      proxy_location: 'EveryNode',
      http_options: { host: '0.0.0.0', port: 8000, root_path: '' },
      target_capacity: 50,
      applications: [other, app],
    });
  });

  it('replaces its former self alone, and goes alone', () => {
    const former = toAppConfig({ ...given, cpus: 1 });
    expect(mergeApps(running(other, former), app, at).applications).toEqual([other, app]);
    expect(mergeApps(running(other, app), null, at).applications).toEqual([other]);
  });

  it('leaves out applications that a program started, which Serve keeps', () => {
    const details = read({ applications: { run: { status: 'RUNNING', deployed_app_config: null } } });
    expect(mergeApps(details, app, at).applications).toEqual([app]);
  });

  it('starts Serve where it is reached, if it does not run', () => {
    const first = mergeApps(read({ applications: {} }), app, new URL('http://127.0.0.1:8123'));
    expect(first).toMatchObject({
      proxy_location: 'HeadOnly',
      http_options: { host: '127.0.0.1', port: 8123 },
    });
    const far = mergeApps(read({ applications: {} }), app, new URL('https://serve.example'));
    expect(far).toMatchObject({ http_options: { host: '0.0.0.0', port: 443 } });
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
    const details = read({
      applications: {
        svc: {
          status: 'DEPLOYING',
          message: 'wait',
          deployments: { engine: { replicas: [{ state: 'RUNNING' }, { state: 'STARTING' }] } },
        },
      },
    });
    expect(readAppState(details)).toEqual({ status: 'DEPLOYING', message: 'wait', running: 1 });
    expect(readAppState(read({}))).toEqual({ status: null, message: '', running: 0 });
  });
});
