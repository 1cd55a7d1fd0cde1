import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { deployment, fakeStudio, key } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const open = async (part = {}, keys = [key()], size = { columns: 120, rows: 40 }) => {
  const dashboard = await openDashboard({
    studio: fakeStudio({ deployments: [deployment(part)], keys }),
    size,
  });
  await dashboard.press('4', 'enter');
  await dashboard.shows('Auth mode');
  return dashboard;
};
const PLAINTEXT = 'svc_live_0123456789abcdefghijABCDEFGHIJ00zebra';

it('shows the URL of the operation, the target, the settings and the keys', async () => {
  const dashboard = await open({ url: 'https://demo.d.example.com', pathUrl: null });
  await dashboard.shows(
    'https://demo.d.example.com/v1/chat/completions',
    'Final adapter (job 3f2a9c1e)',
    'enabled',
    'fixed_api_key',
    'API keys',
    /ci +svc_live_abc/,
    'Quick start',
  );
  expect(dashboard.frame()).not.toMatch(/2001|last used/i);
});

it('shows what its owner added to it, and nothing of it otherwise', async () => {
  const plain = await open();
  expect(plain.frame()).not.toMatch(/Operations|CORS/);
  const corsOrigins = ['https://app.example.com', 'http://localhost:5173'];
  const dashboard = await open({ operations: ['chat', 'models'], corsOrigins });
  await dashboard.shows(
    /Operations +chat, models/,
    /CORS +https:\/\/app\.example\.com, http:\/\/localhost:5173/,
    'API keys',
  );
});

it('has room for its keys beside many origins', async () => {
  const corsOrigins = Array.from({ length: 20 }, (_, i) => `https://app-${i}.example.com`);
  const dashboard = await open({ corsOrigins }, [key()], { columns: 80, rows: 24 });
  await dashboard.shows('https://app-0.example.com', '…', /ci +svc_live_abc/);
});

it('says why it cannot be served', async () => {
  const dashboard = await open({ problem: 'The files of this adapter are damaged.' });
  await dashboard.shows('The files of this adapter are damaged.', /State +enabled/);
});

it('copies the URL and the sample', async () => {
  const dashboard = await open();
  await dashboard.press('c', 's');
  expect(dashboard.copied[0]).toBe('http://demo.localhost:4100/v1/chat/completions');
  expect(dashboard.copied[1]).toContain('Authorization: Bearer <API_KEY>');
});

describe('the quick start', () => {
  it('has three languages, and follows the auth mode', async () => {
    const dashboard = await open();
    await dashboard.shows('POST /v1/chat/completions', 'curl http', 'Authorization: Bearer <API_KEY>');
    await dashboard.press('l');
    await dashboard.shows('from openai import OpenAI', 'base_url="http://localhost:4100/d/demo/v1"');
    await dashboard.press('m', 'y');
    await dashboard.shows('api_key="not-required"');
    await dashboard.press('right');
    await dashboard.shows("apiKey: 'not-required'");
    await dashboard.press('right');
    await dashboard.shows('curl');
    expect(dashboard.frame()).not.toContain('Authorization');
  });

  it('is behind Tab where there is no room beside the keys', async () => {
    const dashboard = await open({}, [key()], { columns: 80, rows: 24 });
    expect(dashboard.frame()).not.toContain('Quick start');
    await dashboard.shows(/Tab page +i issue key +x revoke/);
    await dashboard.press('tab');
    await dashboard.shows(/Tab page +←→ language +s copy sample/);
    // A key that is out of sight cannot be revoked.
    await dashboard.press('x', 'l');
    await dashboard.hides('Revoke key');
    await dashboard.shows('Quick start', 'print(completion.choices[0].message.content)');
  });
});

it('has everything within reach where there is little room', async () => {
  const corsOrigins = ['https://app.example.com'];
  const part = { corsOrigins, operations: ['chat', 'models'] };
  for (const rows of [15, 20]) {
    const dashboard = await open(part, [key()], { columns: 60, rows });
    const seen = [dashboard.frame()];
    for (let page = 0; page < 3; page++) {
      await dashboard.press('tab');
      seen.push(dashboard.frame());
    }
    for (const text of ['URL', 'CORS', /ci +svc_live_abc/, 'Quick start'])
      expect(seen.join('')).toMatch(text);
    while (!dashboard.frame().includes('Quick start')) await dashboard.press('tab');
    await dashboard.press('l');
    await dashboard.shows(/press ↓ for more|print/);
    for (let row = 0; row < 9; row++) await dashboard.press('down');
    await dashboard.shows('print(completion.choices[0].message.content)');
  }
});

describe('the settings', () => {
  it('disable after a question, and enable without one', async () => {
    const dashboard = await open();
    await dashboard.press('e');
    await dashboard.shows('Disable demo?', 'y yes', 'n no');
    await dashboard.press('n');
    expect(dashboard.studio.count('updateDeployment')).toBe(0);
    await dashboard.press('e', 'y');
    expect(dashboard.studio.calls).toContain('updateDeployment "d1" {"enabled":false}');
    await dashboard.shows('calls get 404');
    await dashboard.press('e');
    expect(dashboard.studio.calls).toContain('updateDeployment "d1" {"enabled":true}');
  });

  it('open to everybody after a question, and close without one', async () => {
    const dashboard = await open();
    await dashboard.press('m');
    await dashboard.shows('Make demo public?');
    await dashboard.press('y');
    expect(dashboard.studio.calls).toContain('updateDeployment "d1" {"authMode":"none"}');
    await dashboard.shows('anyone with the URL can call it');
    await dashboard.press('m');
    expect(dashboard.studio.calls).toContain('updateDeployment "d1" {"authMode":"fixed_api_key"}');
  });

  it('stay as they were when the cloud refuses, and say why', async () => {
    const dashboard = await open({ enabled: false });
    dashboard.studio.fail('updateDeployment', new ApiError('cloud_unreachable', 'Cannot reach the cloud.'));
    await dashboard.press('e');
    await dashboard.shows('✗ Cannot reach the cloud.', 'disabled');
  });
});

describe('keys', () => {
  it('are issued with a label, and shown once', async () => {
    const dashboard = await open({}, []);
    await dashboard.shows('No keys yet');
    await dashboard.press('i', '  ', 'enter');
    await dashboard.shows('Enter a label');
    expect(dashboard.studio.count('issueDeploymentKey')).toBe(0);
    await dashboard.press('ctrl-u', 'staging', 'enter');
    await dashboard.shows(PLAINTEXT, 'It will not be shown again.', /staging +svc_live_abc/);
    expect(dashboard.studio.calls).toContain('issueDeploymentKey "d1" "staging"');
    await dashboard.press('c');
    expect(dashboard.copied).toEqual([PLAINTEXT]);
    await dashboard.press('u', 's');
    expect(dashboard.copied[1]).toMatch(/^curl http:/);
    expect(dashboard.copied[1]).toContain(`Authorization: Bearer ${PLAINTEXT}`);
    expect(dashboard.copied[2]).toContain('Authorization: Bearer <API_KEY>');
    await dashboard.shows('Authorization: Bearer <API_KEY>');
    await dashboard.press('1', '4', 'enter', 'u');
    expect(dashboard.copied).toHaveLength(3);
    await dashboard.shows('staging');
    expect(dashboard.frame()).not.toContain(PLAINTEXT);
  });

  it('are shown whole in little room', async () => {
    const dashboard = await open({}, [], { columns: 40, rows: 20 });
    await dashboard.press('i', 'staging', 'enter');
    await dashboard.shows('It will not be');
    const text = dashboard.lines().join('').replace(/[^\w]/g, '');
    expect(text).toContain(PLAINTEXT);
  });

  it('can be hidden again at once', async () => {
    const dashboard = await open({}, []);
    await dashboard.press('i', 'staging', 'enter');
    await dashboard.shows(PLAINTEXT);
    await dashboard.press('?', 'escape');
    await dashboard.shows(PLAINTEXT);
    await dashboard.press('escape');
    await dashboard.hides(PLAINTEXT);
    await dashboard.shows('API keys');
  });

  it('are revoked after a question, and stay listed, struck through', async () => {
    const dashboard = await open({}, [key(), key({ id: 'k2', label: 'old', enabled: false })]);
    await dashboard.shows('○ revoked', '● live');
    expect(dashboard.styleOf('old')).toContain('strike');
    await dashboard.press('x');
    await dashboard.shows('Revoke key ci?');
    await dashboard.press('y');
    expect(dashboard.studio.calls).toContain('revokeDeploymentKey "d1" "k1"');
    await dashboard.hides('● live');
    await dashboard.shows('ci');
    await dashboard.press('j', 'x');
    expect(dashboard.studio.count('revokeDeploymentKey')).toBe(1);
  });

  it('are no longer shown whole once they are revoked', async () => {
    const dashboard = await open();
    await dashboard.press('i', 'laptop', 'enter');
    await dashboard.shows(PLAINTEXT);
    await dashboard.press('x', 'y');
    await dashboard.shows('○ revoked');
    await dashboard.hides(PLAINTEXT);
  });

  it('are left alone when nobody names one', async () => {
    const dashboard = await open();
    await dashboard.press('i', 'escape');
    await dashboard.hides('Key label');
    expect(dashboard.studio.count('issueDeploymentKey')).toBe(0);
  });
});

it('offers nothing that is not to be offered here', async () => {
  const dashboard = await open({ customDomain: 'zebra.example', runRetentionDays: 4711 });
  expect(dashboard.frame()).not.toMatch(/zebra|4711|retention/i);
  await dashboard.press('?');
  await dashboard.shows('Issue key');
  expect(dashboard.frame().toLowerCase().replace('delete the request', '')).not.toMatch(
    /target|retention|delete|domain/,
  );
});

it('says so when there is no such endpoint', async () => {
  const dashboard = await open();
  dashboard.studio.world.deployments = [];
  await dashboard.press('r');
  await dashboard.shows('✗ There is no such endpoint.');
});
