import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { until } from '../support/until.js';
import { deployment, fakeStudio, key } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const open = async (part = {}, keys = [key()], size = WIDE) => {
  const studio = fakeStudio({ deployments: [deployment(part)], keys });
  const dashboard = await openDashboard({ studio, size });
  await dashboard.press('4', 'enter').shows('Auth mode');
  return dashboard;
};
const PLAINTEXT = 'svc_live_0123456789abcdefghijABCDEFGHIJ00zebra';
const ADDED = {
  operations: ['chat', 'models'],
  corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
};

it('shows the URL of the operation, the target, the settings and the keys, and copies URL and sample', async () => {
  const { press, shows, copied } = await open({ url: 'https://demo.d.example.com', pathUrl: null });
  await shows('https://demo.d.example.com/v1/chat/completions', 'Final adapter (job 3f2a9c1e)', 'enabled');
  await shows('fixed_api_key', 'API keys', /ci +svc_live_abc/, 'Quick start').hides(/2001|last used/i);
  await press('c', 's');
  const sample = expect.stringContaining('Authorization: Bearer <API_KEY>');
  expect(copied).toEqual(['https://demo.d.example.com/v1/chat/completions', sample]);
});

it('shows what its owner added to it, and nothing of it otherwise', async () => {
  const plain = await open();
  await plain.hides(/Operations|CORS/);
  const { shows } = await open(ADDED);
  await shows(
    /Operations +chat, models/,
    /CORS +https:\/\/a\.example\.com, http:\/\/localhost:5173/,
    'API keys',
  );
});

it('shows both targets while there is a canary, which it promotes or ends', async () => {
  const target = {
    kind: 'adapter',
    adapter: { kind: 'checkpoint', jobId: '3f2a9c1e-0000-4000-8000-000000000001', step: 40 },
  } as const;
  const canary = { target, share: 0.1, since: '2026-01-01T00:00:00.000Z', problem: 'The files are damaged.' };
  const { studio, shows, press, hides } = await open({ canary });
  await shows(/Stable +90% of requests · Final adapter/, /Canary +10% of requests · Checkpoint step 40/);
  await shows('the stable target answers its requests: The files are damaged.', 'p to promote, z to end it');
  await press('p').shows('Promote the canary of demo?');
  await press('n', 'z').shows(/Target +Final adapter/);
  await hides('Canary');
  expect(studio.world.deployments[0]).toMatchObject({ canary: null });
  studio.world.deployments = [deployment({ canary })];
  await press('r').shows('Canary');
  await press('p', 'y').shows(/Target +Checkpoint step 40/);
});

it('says why it cannot be served, and that there is no such endpoint', async () => {
  const { studio, shows, press } = await open({ problem: 'The files of this adapter are damaged.' });
  await shows('The files of this adapter are damaged.', /State +enabled/);
  studio.world.deployments = [];
  await press('r').shows('✗ There is no such endpoint.');
});

it('the quick start has three languages, and follows the auth mode', async () => {
  const { shows, press } = await open();
  await shows('POST /v1/chat/completions', 'curl http', 'Authorization: Bearer <API_KEY>');
  await press('l').shows('from openai import OpenAI', 'base_url="http://localhost:4100/d/demo/v1"');
  await press('m', 'y').shows('api_key="not-required"');
  await press('right').shows("apiKey: 'not-required'");
  await press('right').shows('curl').hides('Authorization');
});

it('the quick start is behind Tab where there is no room beside the keys', async () => {
  const { hides, press, shows } = await open({}, [key()], { columns: 80, rows: 24 });
  await hides('Quick start');
  await shows(/Tab page +i issue key +x revoke/);
  await press('tab').shows(/Tab page +←→ language +s copy sample/);
  // A key that is out of sight cannot be revoked.
  await press('x', 'l')
    .shows('Quick start', 'print(completion.choices[0].message.content)')
    .hides('Revoke key');
});

it('has everything within reach where there is little room', async () => {
  const { press, frame, shows } = await open(ADDED, [key()], { columns: 60, rows: 15 });
  const seen = [frame()];
  for (let page = 0; page < 3; page++) {
    await press('tab');
    seen.push(frame());
  }
  for (const text of ['URL', 'CORS', /ci +svc_live_abc/, 'Quick start']) expect(seen.join('')).toMatch(text);
  while (!frame().includes('Quick start')) await press('tab');
  await press('l').shows(/press ↓ for more|print/);
  for (let row = 0; row < 9; row++) await press('down');
  await shows('print(completion.choices[0].message.content)');
});

it('the settings ask before callers lose access or everybody gets it, and not for the way back', async () => {
  const { studio, press } = await open();
  const changes = () => studio.calls.filter(call => call.startsWith('updateDeployment'));
  await press('e').shows('Disable demo?', 'y yes', 'n no');
  await press('n');
  expect(changes()).toEqual([]);
  await press('e', 'y').shows('calls get 404');
  await press('e', 'm').shows('Make demo public?');
  await press('y').shows('anyone with the URL can call it');
  await press('m').shows('fixed_api_key');
  const patches = [
    { enabled: false },
    { enabled: true },
    { authMode: 'none' },
    { authMode: 'fixed_api_key' },
  ];
  expect(changes()).toEqual(patches.map(patch => `updateDeployment "d1" ${JSON.stringify(patch)}`));
});

it('the gate of what it follows can be required and left out again; an older cloud has none', async () => {
  const { studio, press, shows } = await open({ requireGate: false });
  await shows(/Gate +not required/, 'whatever is newest or best', 'g to change');
  await press('g').shows(/Gate +required/, 'only to what has passed svc ship');
  expect(studio.calls.filter(call => call.startsWith('updateDeployment'))).toEqual([
    'updateDeployment "d1" {"requireGate":true}',
  ]);
  const older = await open({});
  await older.press('g').hides('Gate');
});

it('the settings stay as they were when the cloud refuses, and say why', async () => {
  const { studio, press } = await open({ enabled: false });
  studio.fail('updateDeployment', new ApiError('cloud_unreachable', 'Cannot reach the cloud.'));
  await press('e').shows('✗ Cannot reach the cloud.', 'disabled');
});

describe('keys', () => {
  it('are issued with a label, and shown until they are hidden', async () => {
    const { studio, press, shows, copied } = await open({}, []);
    await shows('No keys yet');
    await press('i', 'escape').hides('Key label');
    await press('i', '  ', 'enter').shows('Enter a label');
    expect(studio.count('issueDeploymentKey')).toBe(0);
    await press('ctrl-u', 'staging', 'enter');
    await shows(PLAINTEXT, 'It will not be shown again.', /staging +svc_live_abc/);
    expect(studio.calls).toContain('issueDeploymentKey "d1" "staging"');
    await press('c', 'u', 's').shows('Authorization: Bearer <API_KEY>');
    expect(copied).toEqual([
      PLAINTEXT,
      expect.stringMatching(new RegExp(`^curl http:.*Authorization: Bearer ${PLAINTEXT}`, 's')),
      expect.stringContaining('Authorization: Bearer <API_KEY>'),
    ]);
    await press('?', 'escape').shows(PLAINTEXT);
    await press('escape').shows('API keys').hides(PLAINTEXT);
  });

  it('are all listed when one is issued before the list has come', async () => {
    const studio = fakeStudio({ deployments: [deployment({})], keys: [key()] });
    const release = studio.hold('listDeploymentKeys');
    const { press, shows } = await openDashboard({ studio, size: WIDE });
    await press('4', 'enter').shows('Auth mode');
    await press('i', 'staging', 'enter').shows(PLAINTEXT);
    release();
    await shows(/staging +svc_live_abc/, /ci +svc_live_abc/);
  });

  it('are issued once the cloud has answered what was asked before, and keep their label until then', async () => {
    const { studio, press, shows } = await open({ enabled: false }, []);
    const release = studio.hold('updateDeployment');
    await press('e').shows('Waiting for the cloud…');
    await press('i', 'staging', 'enter').shows('The cloud has yet to answer.', 'staging');
    expect(studio.count('issueDeploymentKey')).toBe(0);
    release();
    await shows('enabled');
    await press('enter').shows(PLAINTEXT);
    expect(studio.calls).toContain('issueDeploymentKey "d1" "staging"');
  });

  it('keep their label where the cloud refuses, so that it can be sent again', async () => {
    const { studio, press, shows, hides } = await open({}, []);
    studio.fail('issueDeploymentKey', new ApiError('cloud_unreachable', 'Cannot reach the cloud.'));
    await press('i', 'staging', 'enter').shows('✗ Cannot reach the cloud.', 'Key label: staging');
    studio.fail('issueDeploymentKey');
    await press('enter').shows(PLAINTEXT);
    await hides('Key label');
    await shows(/staging +svc_live_abc/);
  });

  it('are given up when one leaves before they can be shown', async () => {
    const { studio, press } = await open({}, []);
    const release = studio.hold('issueDeploymentKey');
    await press('i', 'staging', 'enter').shows('API keys');
    await until(() => studio.count('issueDeploymentKey')).toBe(1);
    await press('escape', '1').shows('Overview');
    expect(studio.signalOf('issueDeploymentKey').aborted).toBe(true);
    release();
  });

  it('are not seen again once one has been elsewhere', async () => {
    const { press, copied } = await open({}, []);
    await press('i', 'staging', 'enter').shows(PLAINTEXT);
    await press('1', '4', 'enter', 'u').shows('staging').hides(PLAINTEXT);
    expect(copied).toEqual([]);
  });

  it('are revoked after a question, and stay listed, struck through', async () => {
    const { studio, press, shows, styleOf } = await open({}, [
      key(),
      key({ id: 'k2', label: 'old', enabled: false }),
    ]);
    await shows('○ revoked', '● live');
    expect(styleOf('old')).toContain('strike');
    await press('x').shows('Revoke key ci?');
    await press('y').shows('ci').hides('● live');
    expect(studio.calls).toContain('revokeDeploymentKey "d1" "k1"');
    await press('j', 'x');
    expect(studio.count('revokeDeploymentKey')).toBe(1);
  });

  it('are no longer shown whole once they are revoked', async () => {
    const { press } = await open();
    await press('i', 'laptop', 'enter').shows(PLAINTEXT);
    await press('x', 'y').shows('○ revoked').hides(PLAINTEXT);
  });
});

it('offers nothing that is not to be offered here', async () => {
  const { press, frame, hides } = await open({ customDomain: 'zebra.example', runRetentionDays: 4711 });
  await hides(/zebra|4711|retention/i);
  await press('?').shows('Issue key');
  const ofEndpoints = frame().toLowerCase().replace('delete the request', '');
  expect(ofEndpoints).not.toMatch(/target|retention|delete|domain/);
});

it('Ctrl-C at a question is no, and does not leave either', async () => {
  const dashboard = await open();
  await dashboard.press('x').shows('Calls that use it will be rejected.');
  await dashboard.press('ctrl-c').hides('Calls that use it');
  expect(dashboard.studio.count('revokeDeploymentKey')).toBe(0);
  expect(dashboard.isLeft).toBe(false);
});

it('a key that was issued is still shown after the terminal was too small for a moment', async () => {
  const { press, resize } = await open();
  await press('i', 'build', 'enter').shows(PLAINTEXT);
  await resize(30, 10).shows('too small').hides(PLAINTEXT);
  await resize(WIDE.columns, WIDE.rows).shows(PLAINTEXT, 'Key build');
});
