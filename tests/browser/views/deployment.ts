import { describe, expect, it } from 'vitest';
import { refusal, type World } from '../../support/fake-studio.js';
import { sampleDeployment, sampleKey } from '../../support/samples.js';
import { attributesOf, goTo, styleOf } from '../elements.js';
import { openStudio, until } from '../harness.js';

const BASE = 'https://demo.d.example.com/v1';
const LIVE = sampleKey({
  id: 'k1',
  label: 'ci',
  prefix: 'svc_live_abc',
  lastUsedAt: '2001-02-03T04:05:06.000Z',
});

async function openDeployment(arrange?: (world: World) => void) {
  const deployment = sampleDeployment({ customDomain: 'zebra.example' });
  const opened = await openStudio(`#/endpoints/${deployment.id}`, {
    arrange: world => {
      world.deployments = [deployment];
      world.keys[deployment.id] = [
        { ...LIVE },
        sampleKey({ id: 'k2', label: 'old', prefix: 'svc_live_old', enabled: false }),
      ];
      arrange?.(world);
    },
  });
  const { page, studio } = opened;
  await page.getByRole('heading', { name: 'demo.d.example.com' }).waitFor();
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  return {
    ...opened,
    id: deployment.id,
    card,
    sample: () => card('Sample').innerText(),
    clipboard: () => page.evaluate<string>('navigator.clipboard.readText()'),
    patches: () => studio.callsOf('updateDeployment').map(({ body }) => body),
    keys: () => card('API keys').locator('li'),
  };
}

describe('Endpoint detail', () => {
  it('The URL and a sample in three languages can be copied; the sample follows `authMode` without calls of its own.', async () => {
    const { page, studio, card, sample, clipboard, keys, patches } = await openDeployment();
    const quickStart = card('Quick start');
    // What the page loads by itself, in whatever order it comes.
    const loaded = ['getDeployment', 'getIdentity', 'listDeploymentKeys'];
    await until(() => studio.calls.map(({ name }) => name).sort()).toEqual(loaded);
    await keys().first().waitFor();
    const calls = studio.calls.length;
    const choose = (language: string) => quickStart.getByLabel('Language').selectOption({ label: language });
    const optionsOf = (label: string) => quickStart.getByLabel(label).locator('option').allTextContents();
    expect(await card('Endpoint URL').locator('code').textContent()).toBe(`${BASE}/chat/completions`);
    await card('Endpoint URL').getByRole('button', { name: 'Copy endpoint URL' }).click();
    await until(clipboard).toBe(`${BASE}/chat/completions`);
    await until(async () => (await card('Endpoint URL').getByRole('button').textContent())?.trim()).toBe(
      'Copied',
    );

    expect(await optionsOf('Language')).toEqual(['cURL', 'Python', 'JavaScript']);
    expect(await optionsOf('Operation')).toEqual(['POST /v1/chat/completions']);
    expect(await sample()).toContain(`curl ${BASE}/chat/completions`);
    expect(await sample()).toContain('Authorization: Bearer <API_KEY>');
    await quickStart.getByRole('button', { name: 'Copy sample' }).click();
    await until(clipboard).toBe(await sample());
    await choose('Python');
    await until(sample).toContain('api_key="<API_KEY>"');
    await choose('JavaScript');
    await until(sample).toContain("apiKey: '<API_KEY>'");
    await quickStart.getByRole('button', { name: 'Hide' }).click();
    await until(() => quickStart.locator('select, pre').count()).toBe(0);
    await quickStart.getByRole('button', { name: 'Show' }).click();
    await until(() => quickStart.locator('select, pre').count()).toBe(3);
    expect(studio.calls).toHaveLength(calls);

    await page.getByLabel('Auth mode').selectOption('none');
    await page.getByRole('dialog').getByRole('button', { name: 'Make public' }).click();
    await choose('Python');
    await until(sample).toContain('api_key="not-required"');
    await choose('cURL');
    await until(sample).not.toContain('Authorization');
    expect(studio.calls).toHaveLength(calls + 1);
    expect(patches()).toEqual([{ authMode: 'none' }]);
  });

  it('Settings: an Enable/Disable toggle and the auth mode, which ask first where it costs callers; the target is not editable.', async () => {
    const { page, world, card, patches } = await openDeployment();
    const badge = () => page.locator('h1 + .badge').textContent();
    const disable = page.getByRole('dialog', { name: /^Disable .+\?$/ });
    await page.getByText('Final adapter (job 1a2b3c4d)').waitFor();
    const fields = page.locator('main').locator('input, select, textarea');
    expect(await attributesOf(fields, 'aria-label')).toEqual(['Language', 'Operation', null]);
    await card('Settings').getByRole('button', { name: 'Disable' }).click();
    await disable.getByText('Calls to it will get 404.').waitFor();
    await disable.getByRole('button', { name: 'Close' }).click();
    expect([await badge(), patches()]).toEqual(['enabled', []]);
    await card('Settings').getByRole('button', { name: 'Disable' }).click();
    await disable.getByRole('button', { name: 'Disable' }).click();
    await until(badge).toBe('disabled');
    await card('Settings').getByRole('button', { name: 'Enable' }).click();
    await until(badge).toBe('enabled');
    expect(patches()).toEqual([{ enabled: false }, { enabled: true }]);

    const mode = page.getByLabel('Auth mode');
    expect(await mode.locator('option').allTextContents()).toEqual(['fixed_api_key', 'none']);
    await mode.selectOption('none');
    await page.keyboard.press('Escape');
    // The page hears of it a moment after the dialog is gone from the screen.
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await mode.inputValue()).toBe('fixed_api_key');
    await mode.selectOption('none');
    const makePublic = page.getByRole('dialog', { name: /^Make .+ public\?$/ });
    await makePublic.getByRole('button', { name: 'Make public' }).click();
    await page.getByText('Public: anyone with the URL can call it.').waitFor();
    expect(patches().slice(2)).toEqual([{ authMode: 'none' }]);
    world.failures.updateDeployment = refusal(503, 'engine_unavailable', 'Try again in a moment.');
    await mode.selectOption('fixed_api_key');
    await page.getByText('Try again in a moment.').waitFor();
    expect(await mode.inputValue()).toBe('none');

    // What the owner added on the command line is shown, and nothing of it otherwise.
    expect(await card('Settings').innerText()).not.toMatch(/Operations|CORS/);
    const added = { operations: ['chat', 'models'], corsOrigins: ['https://app.example.com'] };
    Object.assign(world.deployments[0]!, added);
    await page.reload();
    await card('Settings').getByText('Operations').waitFor();
    expect(await card('Settings').locator('dd').allInnerTexts()).toEqual([
      'chat',
      'models',
      'https://app.example.com',
    ]);
    await goTo(page, '#/endpoints/nothing');
    await page.getByText('There is nothing with the ID nothing').waitFor();
    await page.getByRole('heading', { name: 'Endpoint', exact: true }).waitFor();
  });

  it('API keys: a list that is said to be long in coming or not to be had; `Revoke` strikes one through.', async () => {
    let answer = () => {};
    const { page, studio, world, id, card, keys } = await openDeployment(opened => {
      opened.slowness.listDeploymentKeys = new Promise<void>(resolve => {
        answer = resolve;
      });
      opened.failures.listDeploymentKeys = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    });
    await card('API keys').getByText('Loading…').waitFor();
    answer();
    await card('API keys').getByText('Cannot reach the cloud.').waitFor();
    expect(await page.getByText('No keys yet').count()).toBe(0);
    delete world.failures.listDeploymentKeys;
    await card('API keys').getByRole('button', { name: 'Try again' }).click();
    await until(() => keys().count()).toBe(2);
    const struck = async (row: number) => [
      await styleOf(keys().nth(row).locator('.label'), 'textDecorationLine'),
      await styleOf(keys().nth(row).locator('.prefix'), 'textDecorationLine'),
    ];
    expect(await keys().nth(0).locator('.label, .prefix').allTextContents()).toEqual(['ci', 'svc_live_abc']);
    expect(await struck(0)).toEqual(['none', 'none']);
    expect(await struck(1)).toEqual(['line-through', 'line-through']);
    expect(await page.locator('body').innerText()).not.toMatch(/2001|last used|retention|zebra|domain/i);

    const dialog = page.getByRole('dialog', { name: 'Revoke key ci?' });
    const revoke = () => dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await dialog.getByText('Calls that use it will be rejected.').waitFor();
    expect(studio.callsOf('revokeDeploymentKey')).toEqual([]);
    world.failures.revokeDeploymentKey = refusal(404, 'key_not_found', 'There is no such key.');
    await revoke();
    await dialog.getByText('There is no such key.').waitFor();
    delete world.failures.revokeDeploymentKey;
    await revoke();
    await until(() => keys().nth(0).innerText()).toContain('revoked');
    expect(await struck(0)).toEqual(['line-through', 'line-through']);
    expect(world.keys[id]?.[0]?.enabled).toBe(false);
  });

  it('`Issue key` prompts for a label and shows the plaintext once in a callout with a copy control; the quick start keeps `<API_KEY>`.', async () => {
    const { page, studio, card, sample, keys, clipboard, world, id } = await openDeployment();
    const dialog = page.getByRole('dialog');
    const issue = () => dialog.getByRole('button', { name: 'Issue key' }).click();
    await card('API keys').getByRole('button', { name: 'Issue key' }).click();
    await issue();
    await dialog.getByText('Enter a label').waitFor();
    await dialog.getByLabel('Label').fill('x'.repeat(81));
    await issue();
    await dialog.getByText('Use at most 80 characters').waitFor();
    expect(studio.callsOf('issueDeploymentKey')).toEqual([]);
    await dialog.getByLabel('Label').fill('  nightly  ');
    await issue();
    await page.getByText('you will not see this again').waitFor();
    expect(studio.callsOf('issueDeploymentKey')[0]?.body).toEqual({ label: 'nightly' });
    await until(() => keys().count()).toBe(3);
    await page.getByRole('button', { name: 'Copy key' }).click();
    await until(clipboard).toMatch(/^svc_live_\w{36}$/);
    const plaintext = await clipboard();
    expect(plaintext.startsWith(world.keys[id]!.at(-1)!.prefix)).toBe(true);
    await page.getByRole('button', { name: 'Copy as cURL', exact: true }).click();
    await until(clipboard).toBe((await sample()).replace('<API_KEY>', plaintext));
    expect(await sample()).toContain('Authorization: Bearer <API_KEY>');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.goBack();
    await until(() => keys().count()).toBe(3);
    const kept = await page.evaluate<string>(
      '[document.documentElement.outerHTML, ...Object.values(localStorage), ...Object.values(sessionStorage), JSON.stringify(history.state)].join()',
    );
    expect(kept).not.toContain(plaintext);
  });
});
