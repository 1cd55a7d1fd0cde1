import { describe, expect, it } from 'vitest';
import { refusal, type World } from '../../support/fake-studio.js';
import { sampleDeployment, sampleKey } from '../../support/samples.js';
import { attributesOf, styleOf } from '../elements.js';
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
  it('Endpoint URL: the full per-operation URL with a copy control.', async () => {
    const { card, clipboard } = await openDeployment();
    expect(await card('Endpoint URL').locator('code').textContent()).toBe(`${BASE}/chat/completions`);
    await card('Endpoint URL').getByRole('button', { name: 'Copy endpoint URL' }).click();
    await until(clipboard).toBe(`${BASE}/chat/completions`);
    await until(async () => (await card('Endpoint URL').getByRole('button').textContent())?.trim()).toBe(
      'Copied',
    );
  });

  it('Quick start card: a code sample with two dropdowns. Language: cURL, Python, JavaScript. Operation: `POST /v1/chat/completions` only.', async () => {
    const { card, sample } = await openDeployment();
    const options = (label: string) =>
      card('Quick start').getByLabel(label).locator('option').allTextContents();
    expect(await card('Quick start').locator('select').count()).toBe(2);
    expect(await options('Language')).toEqual(['cURL', 'Python', 'JavaScript']);
    expect(await options('Operation')).toEqual(['POST /v1/chat/completions']);
    expect(await sample()).toContain(`curl ${BASE}/chat/completions`);
  });

  it('The sample follows the current `authMode`, and the card makes no upstream calls.', async () => {
    const { page, studio, card, sample, keys } = await openDeployment();
    // The last of what the page loads by itself.
    await keys().first().waitFor();
    const calls = studio.calls.length;
    const choose = (language: string) =>
      card('Quick start').getByLabel('Language').selectOption({ label: language });
    expect(await sample()).toContain('Authorization: Bearer <API_KEY>');
    await choose('Python');
    await until(sample).toContain('api_key="<API_KEY>"');
    expect(await sample()).toContain(`base_url="${BASE}"`);
    await choose('JavaScript');
    await until(sample).toContain("apiKey: '<API_KEY>'");
    expect(studio.calls).toHaveLength(calls);
    await page.getByLabel('Auth mode').selectOption('none');
    await page.getByRole('dialog').getByRole('button', { name: 'Make public' }).click();
    await until(sample).toContain("apiKey: 'not-required'");
    await choose('Python');
    await until(sample).toContain('api_key="not-required"');
    await choose('cURL');
    await until(sample).not.toContain('Authorization');
    expect(studio.calls).toHaveLength(calls + 1);
  });

  it('A Hide toggle collapses the card; until then the sample can be copied.', async () => {
    const { studio, card, sample, clipboard } = await openDeployment();
    await card('Quick start').getByRole('button', { name: 'Copy sample' }).click();
    await until(clipboard).toBe(await sample());
    const calls = studio.calls.length;
    await card('Quick start').getByRole('button', { name: 'Hide' }).click();
    await until(() => card('Quick start').locator('select, pre').count()).toBe(0);
    expect(await card('Quick start').getByRole('button').allInnerTexts()).toEqual(['Show']);
    await card('Quick start').getByRole('button', { name: 'Show' }).click();
    await until(() => card('Quick start').locator('select, pre').count()).toBe(3);
    expect(studio.calls).toHaveLength(calls);
  });

  it('Settings: Enable/Disable toggle', async () => {
    const { page, card, patches } = await openDeployment();
    const badge = () => page.locator('h1 + .badge').textContent();
    const dialog = page.getByRole('dialog', { name: /^Disable .+\?$/ });
    await card('Settings').getByRole('button', { name: 'Disable' }).click();
    await dialog.getByText('Calls to it will get 404.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect([await badge(), patches()]).toEqual(['enabled', []]);
    await card('Settings').getByRole('button', { name: 'Disable' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await until(badge).toBe('disabled');
    await card('Settings').getByRole('button', { name: 'Enable' }).click();
    await until(badge).toBe('enabled');
    expect(patches()).toEqual([{ enabled: false }, { enabled: true }]);
  });

  it('and Auth mode dropdown', async () => {
    const { page, world, patches } = await openDeployment();
    const mode = page.getByLabel('Auth mode');
    expect(await mode.locator('option').allTextContents()).toEqual(['fixed_api_key', 'none']);
    const dialog = page.getByRole('dialog', { name: /^Make .+ public\?$/ });
    await mode.selectOption('none');
    await page.keyboard.press('Escape');
    // The page hears of it a moment after the dialog is gone from the screen.
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect([await mode.inputValue(), patches()]).toEqual(['fixed_api_key', []]);
    await mode.selectOption('none');
    await dialog.getByRole('button', { name: 'Make public' }).click();
    await page.getByText('Public: anyone with the URL can call it.').waitFor();
    expect(patches()).toEqual([{ authMode: 'none' }]);
    world.failures.updateDeployment = refusal(503, 'engine_unavailable', 'Try again in a moment.');
    await mode.selectOption('fixed_api_key');
    await page.getByText('Try again in a moment.').waitFor();
    expect(await mode.inputValue()).toBe('none');
  });

  it('The target is not editable in the UI.', async () => {
    const { page } = await openDeployment();
    await page.getByText('Final adapter (job 1a2b3c4d)').waitFor();
    const fields = page.locator('main').locator('input, select, textarea');
    expect(await attributesOf(fields, 'aria-label')).toEqual(['Language', 'Operation', null]);
  });

  it('API keys: list with label and prefix; revoked keys are struck through.', async () => {
    const { page, keys } = await openDeployment();
    await until(() => keys().count()).toBe(2);
    const struck = (row: number, name: string) =>
      styleOf(keys().nth(row).locator(name), 'textDecorationLine');
    expect(await keys().nth(0).locator('.label').textContent()).toBe('ci');
    expect(await keys().nth(0).locator('.prefix').textContent()).toBe('svc_live_abc');
    expect([await struck(0, '.label'), await struck(0, '.prefix')]).toEqual(['none', 'none']);
    expect([await struck(1, '.label'), await struck(1, '.prefix')]).toEqual(['line-through', 'line-through']);
    expect(await page.locator('body').innerText()).not.toMatch(/2001|last used|retention|zebra|domain/i);
  });

  it('Keys that are long in coming are said to be; those that cannot be had can be asked for again.', async () => {
    let answer = () => {};
    const { page, world, card, keys } = await openDeployment(opened => {
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

  it('`Revoke` sets `enabled` to false.', async () => {
    const { page, studio, world, id, keys } = await openDeployment();
    const dialog = page.getByRole('dialog', { name: 'Revoke key ci?' });
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await dialog.getByText('Calls that use it will be rejected.').waitFor();
    expect(studio.callsOf('revokeDeploymentKey')).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await until(() => keys().nth(0).innerText()).toContain('revoked');
    expect(world.keys[id]?.[0]?.enabled).toBe(false);
    expect(studio.callsOf('revokeDeploymentKey')).toHaveLength(1);
    world.keys[id]?.push(sampleKey({ id: 'k3', label: 'new' }));
    await page.reload();
    world.failures.revokeDeploymentKey = refusal(404, 'key_not_found', 'There is no such key.');
    await page.getByRole('button', { name: 'Revoke new' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('There is no such key.').waitFor();
  });

  it('What the owner added on the command line is shown, and nothing of it otherwise.', async () => {
    const { card, world, page } = await openDeployment();
    expect(await card('Settings').innerText()).not.toMatch(/Operations|CORS/);
    Object.assign(world.deployments[0]!, {
      operations: ['chat', 'models'],
      corsOrigins: ['https://app.example.com'],
    });
    await page.reload();
    await card('Settings').getByText('Operations').waitFor();
    expect(await card('Settings').locator('dd').allInnerTexts()).toEqual([
      'chat',
      'models',
      'https://app.example.com',
    ]);
  });

  it('An endpoint that does not exist says so.', async () => {
    const { page } = await openStudio('#/endpoints/nothing');
    await page.getByText('There is nothing with the ID nothing').waitFor();
    expect(await page.getByRole('heading', { name: 'Endpoint', exact: true }).count()).toBe(1);
  });
});
