import { expect, it } from 'vitest';
import { refusal, type World } from '../../support/fake-studio.js';
import { sampleDeployment, sampleKey } from '../../support/samples.js';
import { attributesOf, focusedName, styleOf } from '../elements.js';
import { hold, openStudio, until } from '../harness.js';

const BASE = 'https://demo.d.example.com/v1';

async function openDeployment(arrange?: (world: World) => void) {
  const deployment = sampleDeployment({ customDomain: 'zebra.example' });
  const opened = await openStudio(`#/endpoints/${deployment.id}`, {
    arrange: world => {
      world.deployments = [deployment];
      world.keys[deployment.id] = [
        sampleKey({ id: 'k1', label: 'ci', lastUsedAt: '2001-02-03T04:05:06.000Z' }),
        sampleKey({ id: 'k2', label: 'old', prefix: 'svc_live_old', enabled: false }),
      ];
      arrange?.(world);
    },
  });
  await opened.isOn('demo.d.example.com');
  const { page, studio, card, dialog } = opened;
  return {
    ...opened,
    id: deployment.id,
    mode: page.getByLabel('Auth mode'),
    sample: () => card('Sample').innerText(),
    patches: () => studio.callsOf('updateDeployment').map(({ body }) => body),
    keyRows: card('API keys').locator('li'),
    confirm: (name: string) => dialog.getByRole('button', { name }).click(),
    badge: () => page.locator('h1 + .badge').textContent(),
  };
}

it('Endpoint detail: The URL and a sample in three languages can be copied; the sample follows `authMode` without calls of its own.', async () => {
  const opened = await openDeployment();
  const { studio, card, sample, clipboard, keyRows, patches, mode, confirm } = opened;
  const quickStart = card('Quick start');
  // What the page loads by itself, in whatever order it comes.
  const loaded = ['getDeployment', 'getIdentity', 'listDeploymentKeys', 'listEvaluations'];
  await until(() => studio.calls.map(({ name }) => name).sort()).toEqual(loaded);
  await keyRows.first().waitFor();
  /** The page also asks for the cloud itself when nothing happens for long. */
  const callCount = () => studio.calls.filter(({ name }) => name !== 'getCluster').length;
  const calls = callCount();
  const choose = (language: string) => quickStart.getByLabel('Language').selectOption({ label: language });
  const optionsOf = (label: string) => quickStart.getByLabel(label).locator('option').allTextContents();
  const copy = card('Endpoint URL').getByRole('button', { name: 'Copy endpoint URL' });
  expect(await card('Endpoint URL').locator('code').textContent()).toBe(`${BASE}/chat/completions`);
  await copy.click();
  await until(clipboard).toBe(`${BASE}/chat/completions`);
  await until(async () => (await copy.textContent())?.trim()).toBe('Copied');

  expect(await optionsOf('Language')).toEqual(['cURL', 'Python', 'JavaScript']);
  expect(await optionsOf('Operation')).toEqual(['POST /v1/chat/completions']);
  expect(await sample()).toContain(`curl ${BASE}/chat/completions`);
  expect(await sample()).toContain('Authorization: Bearer <API_KEY>');
  await quickStart.getByRole('button', { name: 'Copy sample' }).click();
  await until(clipboard).toBe(await sample());
  await choose('JavaScript');
  await until(sample).toContain("apiKey: '<API_KEY>'");
  for (const [name, shown] of [
    ['Hide', 0],
    ['Show', 3],
  ] as const) {
    await quickStart.getByRole('button', { name }).click();
    await until(() => quickStart.locator('select, pre').count()).toBe(shown);
  }
  expect(callCount()).toBe(calls);

  await mode.selectOption('none');
  await confirm('Make public');
  await choose('Python');
  await until(sample).toContain('api_key="not-required"');
  expect(callCount()).toBe(calls + 1);
  expect(patches()).toEqual([{ authMode: 'none' }]);
});

it('Endpoint detail: the gate of what it follows is a setting, where the cloud has it.', async () => {
  const { page, patches, sees } = await openDeployment(world => {
    world.deployments[0]!.requireGate = false;
  });
  await sees('Once it follows something, it moves to whatever is newest or best.');
  await page.getByLabel('Gate').selectOption('required');
  await sees('Once it follows something, it moves only to what has passed svc ship.');
  expect(patches()).toEqual([{ requireGate: true }]);
});

it('Endpoint detail: Settings: an Enable/Disable toggle and the auth mode, which ask first where it costs callers; the target is not editable.', async () => {
  const { page, world, card, patches, badge, mode, sees, keys, reload, visit, confirm } =
    await openDeployment();
  const settings = card('Settings');
  const toggle = (name: string) => settings.getByRole('button', { name }).click();
  await sees('Final adapter (job 1a2b3c4d)');
  const fields = page.locator('main').locator('input, select, textarea');
  expect(await attributesOf(fields, 'aria-label')).toEqual(['Language', 'Operation', null]);
  await toggle('Disable');
  await sees(/^Disable .+\?$/, 'Calls to it will get 404.');
  await confirm('Close');
  expect([await badge(), patches()]).toEqual(['enabled', []]);
  await toggle('Disable');
  await confirm('Disable');
  await until(badge).toBe('disabled');
  await toggle('Enable');
  await until(badge).toBe('enabled');
  expect(patches()).toEqual([{ enabled: false }, { enabled: true }]);

  expect(await mode.locator('option').allTextContents()).toEqual(['fixed_api_key', 'none']);
  await mode.selectOption('none');
  await keys('Escape');
  // The page hears of it a moment after the dialog is closed: a closed dialog has no role, but is still there.
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await mode.inputValue()).toBe('fixed_api_key');
  await mode.selectOption('none');
  await sees(/^Make .+ public\?$/);
  await confirm('Make public');
  await sees('Public: anyone with the URL can call it.');
  expect(patches().slice(2)).toEqual([{ authMode: 'none' }]);
  world.failures.updateDeployment = refusal(503, 'engine_unavailable', 'Try again in a moment.');
  await mode.selectOption('fixed_api_key');
  await sees('Try again in a moment.');
  expect(await mode.inputValue()).toBe('none');

  // What the owner added on the command line is shown, and nothing of it otherwise.
  expect(await settings.innerText()).not.toMatch(/Operations|CORS/);
  const added = { operations: ['chat', 'models'], corsOrigins: ['https://app.example.com'] };
  Object.assign(world.deployments[0]!, added);
  await reload();
  await until(() => settings.locator('dd').allInnerTexts()).toEqual([
    'chat',
    'models',
    'https://app.example.com',
  ]);
  await visit('#/endpoints/nothing').sees('There is nothing with the ID nothing').isOn('Endpoint');
});

it('Endpoint detail: API keys: a list that is said to be long in coming or not to be had; `Revoke` strikes one through.', async () => {
  let answer = () => {};
  const { page, studio, world, id, card, keyRows, dialog, press, confirm } = await openDeployment(opened => {
    answer = hold(opened, 'listDeploymentKeys');
    opened.failures.listDeploymentKeys = refusal(500, 'internal_error', 'The list cannot be read.');
  });
  await card('API keys').getByText('Loading…').waitFor();
  answer();
  await card('API keys').getByText('The list cannot be read.').waitFor();
  expect(await page.getByText('No keys yet').count()).toBe(0);
  delete world.failures.listDeploymentKeys;
  await card('API keys').getByRole('button', { name: 'Try again' }).click();
  await until(() => keyRows.count()).toBe(2);
  const struck = async (row: number) => [
    await styleOf(keyRows.nth(row).locator('.label'), 'textDecorationLine'),
    await styleOf(keyRows.nth(row).locator('.prefix'), 'textDecorationLine'),
  ];
  expect(await keyRows.nth(0).locator('.label, .prefix').allTextContents()).toEqual(['ci', 'svc_live_abc']);
  expect([await struck(0), await struck(1)]).toEqual([
    ['none', 'none'],
    ['line-through', 'line-through'],
  ]);
  expect(await page.locator('body').innerText()).not.toMatch(/2001|last used|retention|zebra|domain/i);

  await press('Revoke ci').sees('Revoke key ci?', 'Calls that use it will be rejected.');
  expect(studio.callsOf('revokeDeploymentKey')).toEqual([]);
  world.failures.revokeDeploymentKey = refusal(404, 'key_not_found', 'There is no such key.');
  await confirm('Revoke');
  await dialog.getByText('There is no such key.').waitFor();
  delete world.failures.revokeDeploymentKey;
  await confirm('Revoke');
  await until(() => keyRows.nth(0).innerText()).toContain('revoked');
  expect(await struck(0)).toEqual(['line-through', 'line-through']);
  await until(() => focusedName(page)).toBe('Issue key');
  expect(world.keys[id]?.[0]?.enabled).toBe(false);
});

it('Endpoint detail: `Issue key` prompts for a label and shows the plaintext once in a callout with a copy control; the quick start keeps `<API_KEY>`.', async () => {
  const opened = await openDeployment();
  const { page, studio, card, sample, keyRows, clipboard, world, id, dialog, press, sees } = opened;
  const issue = async (label: string) => {
    await dialog.getByLabel('Label').fill(label);
    await opened.confirm('Issue key');
  };
  await card('API keys').getByRole('button', { name: 'Issue key' }).click();
  await issue('');
  await sees('Enter a label');
  expect(studio.callsOf('issueDeploymentKey')).toEqual([]);
  await issue('  nightly  ');
  await sees('you will not see this again');
  expect(studio.callsOf('issueDeploymentKey')[0]?.body).toEqual({ label: 'nightly' });
  await until(() => keyRows.count()).toBe(3);
  await press('Copy key');
  await until(clipboard).toMatch(/^svc_live_\w{36}$/);
  const plaintext = await clipboard();
  expect(plaintext.startsWith(world.keys[id]!.at(-1)!.prefix)).toBe(true);
  await page.getByRole('button', { name: 'Copy as cURL', exact: true }).click();
  await until(clipboard).toBe((await sample()).replace('<API_KEY>', plaintext));
  expect(await sample()).toContain('Authorization: Bearer <API_KEY>');
  await opened.follow('Jobs').isOn('Jobs');
  await opened.back();
  await until(() => keyRows.count()).toBe(3);
  const stored =
    '...Object.values(localStorage), ...Object.values(sessionStorage), JSON.stringify(history.state)';
  const kept = await page.evaluate<string>(`[document.documentElement.outerHTML, ${stored}].join()`);
  expect(kept).not.toContain(plaintext);
});

it('Endpoint detail: A key that was just issued is offered until it, and not another one, is revoked.', async () => {
  const { page, dialog, card, keyRows, press, sees, confirm } = await openDeployment();
  await card('API keys').getByRole('button', { name: 'Issue key' }).click();
  await dialog.getByLabel('Label').fill('nightly');
  await confirm('Issue key');
  await until(() => keyRows.count()).toBe(3);
  const revoke = async (label: string) => {
    await press(`Revoke ${label}`);
    await confirm('Revoke');
    await until(() => keyRows.filter({ hasText: label }).innerText()).toContain('revoked');
  };
  await revoke('ci');
  await sees('you will not see this again');
  await revoke('nightly');
  expect(await page.getByText('you will not see this again').count()).toBe(0);
});

it('Endpoint detail: A canary is shown beside the target, with the figures of both, and is promoted after a question, or ended.', async () => {
  const figures = { failed: 1, answers: 4, meanMs: 250, promptTokens: 40, completionTokens: 20 };
  const adapter = { kind: 'checkpoint', jobId: '1a2b3c4d-0000-4000-8000-000000000001', step: 40 } as const;
  const canary = {
    target: { kind: 'adapter', adapter } as const,
    share: 0.1,
    since: '2026-03-01T10:00:00.000Z',
    problem: 'The files are damaged.',
  };
  const { page, card, dialog, press, confirm, patches, studio } = await openDeployment(world =>
    Object.assign(world.deployments[0]!, {
      canary,
      lastHour: { target: { ...figures, requests: 1200 }, canary: { ...figures, requests: 5 } },
    }),
  );
  const rows = () => card('Canary').locator('tbody tr').allInnerTexts();
  await until(async () => (await rows()).map(row => row.replace(/\s+/g, ' '))).toEqual([
    'Stable Final adapter (job 1a2b3c4d) 90% 1,200 1 (0.083%) 250 ms 10 in, 5 out',
    'Canary Checkpoint step 40 (job 1a2b3c4d) 10% 5 1 (20%) 250 ms 10 in, 5 out',
  ]);
  expect(await card('Canary').innerText()).toContain(
    'stable target answers its requests: The files are damaged.',
  );
  await card('Canary').getByRole('button', { name: 'Promote' }).click();
  expect(await dialog.innerText()).toContain('Promote the canary of demo?');
  await confirm('Promote');
  await until(() => card('Canary').count()).toBe(0);
  const focused = () => page.evaluate('document.activeElement.tagName');
  await until(focused).toBe('H1');
  // The next canary, which another change brings along, is not asked about.
  studio.world.deployments = [{ ...studio.world.deployments[0]!, canary }];
  await press('Disable');
  await confirm('Disable');
  await until(() => card('Canary').count()).toBe(1);
  await until(() => dialog.count()).toBe(0);
  await card('Canary').getByRole('button', { name: 'End canary' }).click();
  await until(() => card('Canary').count()).toBe(0);
  await until(focused).toBe('H1');
  expect(patches()).toEqual([{ promote: canary.target }, { enabled: false }, { canary: null }]);
});
