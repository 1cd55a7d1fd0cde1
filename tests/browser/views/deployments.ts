import { describe, expect, it } from 'vitest';
import { JOB_ID_RULE } from '../../../lib/console/index.js';
import { BASE_MODEL } from '../../support/fake-studio/world.js';
import { refusal, type World } from '../../support/fake-studio.js';
import { JOB_ID, sampleDeployment } from '../../support/samples.js';
import { focusedName, hashOf, isFocused, kindsOf, noteOf } from '../elements.js';
import { openStudio, setHidden, until } from '../harness.js';

const adapter = (ref: object) => ({ kind: 'adapter', adapter: { jobId: JOB_ID, ...ref } }) as never;
const of = (id: string, slug: string, fields = {}) =>
  sampleDeployment({ id, slug, url: `https://${slug}.d.example.com`, ...fields });
const PROBLEM = 'The files of this adapter are damaged.';
const THREE = [
  of('d1', 'demo', { problem: PROBLEM }),
  of('d2', 'other', {
    target: adapter({ kind: 'checkpoint', step: 40 }),
    enabled: false,
    customDomain: 'zebra.example',
  }),
  of('d3', 'plain', { target: { kind: 'base_model', baseModel: BASE_MODEL }, authMode: 'none' }),
];

async function openDeployments(deployments = THREE, arrange?: (world: World) => void) {
  const opened = await openStudio('#/endpoints', {
    arrange: world => {
      world.deployments = deployments;
      arrange?.(world);
    },
  });
  const { page, studio } = opened;
  const dialog = page.getByRole('dialog');
  return {
    ...opened,
    dialog,
    rows: async () => (await page.locator('main li').allInnerTexts()).map(text => text.split(/\s*\n\s*/)),
    bodies: () => studio.callsOf('createDeployment').map(({ body }) => body),
    openForm: () => page.getByRole('button', { name: 'New endpoint' }).click(),
    create: () => dialog.getByRole('button', { name: 'Create endpoint' }).click(),
  };
}

describe('Endpoints list', () => {
  it('Each row has slug, target, `authMode` and whether it is enabled, and opens its page by a click anywhere and by keys.', async () => {
    const { page, rows } = await openDeployments();
    await until(rows).toEqual([
      ['demo.d.example.com', 'Final adapter (job 1a2b3c4d) cannot serve', 'fixed_api_key', 'enabled'],
      ['other.d.example.com', 'Checkpoint step 40 (job 1a2b3c4d)', 'fixed_api_key', 'disabled'],
      ['plain.d.example.com', `Base model: ${BASE_MODEL}`, 'none', 'enabled'],
    ]);
    const row = page.locator('main li').nth(1);
    for (const open of [
      () => row.click({ position: { x: 400, y: 10 } }),
      async () => {
        const badge = (await row.locator('.badge').boundingBox())!;
        await page.mouse.click(badge.x + 5, badge.y + 5);
      },
      () => row.getByRole('link').press('Enter'),
    ]) {
      await row.waitFor();
      await open();
      await until(() => hashOf(page)).toBe('#/endpoints/d2');
      await page.getByRole('heading', { name: 'other.d.example.com' }).waitFor();
      await page.getByRole('link', { name: 'Endpoints' }).first().click();
    }
    await page.getByRole('link', { name: 'demo.d.example.com' }).click();
    await page.getByText(PROBLEM).waitFor();
    expect(await page.locator('h1 + .badge').textContent()).toBe('enabled');
  });

  it('It is not refreshed by itself: a reload picks up outside changes. It says that it is long in coming, empty, or why it cannot be had.', async () => {
    let answer = () => {};
    const { page, studio, world } = await openStudio('#/endpoints', {
      arrange: ({ slowness }) => {
        slowness.listDeployments = new Promise<void>(resolve => {
          answer = resolve;
        });
      },
      prepare: opened => opened.clock.install(),
    });
    await page.getByText('Loading…').waitFor();
    expect(await page.getByText('No endpoints yet').count()).toBe(0);
    answer();
    await page.getByText('No endpoints yet').waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('main').locator('input, select, [aria-pressed]').count()).toBe(0);
    world.deployments = THREE;
    await setHidden(page, true);
    await page.clock.fastForward(600_000);
    await setHidden(page, false);
    expect(studio.callsOf('listDeployments')).toHaveLength(1);
    world.failures.listDeployments = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    await page.reload();
    await page.getByText('Cannot reach the cloud.').waitFor();
    delete world.failures.listDeployments;
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(() => page.locator('main li').count()).toBe(3);
  });
});

describe('Create deployment form', () => {
  it('Fields in section 2 (Deployment): a slug, a target of each kind, an auth mode, and no other; on success the list has the new row.', async () => {
    const { page, studio, dialog, bodies, openForm, create, rows } = await openDeployments([]);
    await page.getByText('No endpoints yet').waitFor();
    for (const [slug, kind, fields, target] of [
      ['first', 'final', { 'Job ID': JOB_ID }, adapter({ kind: 'final' })],
      ['second', 'checkpoint', { 'Job ID': JOB_ID, Step: '40' }, adapter({ kind: 'checkpoint', step: 40 })],
      ['third', 'base_model', {}, { kind: 'base_model', baseModel: BASE_MODEL }],
    ] as const) {
      await openForm();
      expect(await dialog.getByLabel('Auth mode').inputValue()).toBe('fixed_api_key');
      await dialog.getByLabel('Slug').fill(slug);
      await dialog.getByLabel('Target').selectOption(kind);
      for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
      if (slug === 'third') await dialog.getByLabel('Auth mode').selectOption('none');
      const labels = (await dialog.locator('label').allTextContents()).sort();
      expect(labels).toEqual(['Auth mode', ...Object.keys(fields), 'Slug', 'Target'].sort());
      await create();
      await until(() => dialog.count()).toBe(0);
      await until(async () => (await rows()).map(([name]) => name)).toContain(`${slug}.d.example.com`);
      await until(() => focusedName(page)).toBe('New endpoint');
      const authMode = slug === 'third' ? 'none' : 'fixed_api_key';
      expect(bodies().at(-1)).toEqual({ slug, target, authMode });
    }
    expect(studio.calls.map(({ name }) => name).filter(name => /Deployment|Jobs/.test(name))).toEqual([
      'listDeployments',
      ...Array.from({ length: 3 }, () => ['createDeployment', 'listDeployments']).flat(),
    ]);
  });

  it('What is no slug or no job’s ID is told at its field and not sent; what the cloud says of a field stands there alone, and the form stays.', async () => {
    const { world, dialog, bodies, openForm, create } = await openDeployments([]);
    await openForm();
    const [slug, job] = [dialog.getByLabel('Slug'), dialog.getByLabel('Job ID')];
    expect(await kindsOf(job)).toEqual(['text']);
    expect(await job.getAttribute('list')).toBeNull();
    expect(await noteOf(job)).toBe(JOB_ID_RULE);
    await job.fill(JOB_ID);
    await slug.fill('Not a slug');
    await create();
    await dialog.getByText(/^Use 2–50 lowercase/).waitFor();
    await slug.fill('zebra');
    for (const [typed, note] of [
      ['the last one', `Not a valid job ID. ${JOB_ID_RULE}`],
      ['f', 'No job of this project has this ID.'],
    ] as const) {
      await job.fill(typed);
      await create();
      await until(() => noteOf(job)).toBe(note);
      expect(await isFocused(job)).toBe(true);
    }
    expect(bodies()).toEqual([]);

    await job.fill(JOB_ID);
    for (const [field, error] of [
      [slug, refusal(409, 'slug_taken', 'taken: zebra 42', 'slug')],
      [slug, refusal(400, 'slug_reserved', 'The label www is reserved.', 'slug')],
      [job, refusal(404, 'job_not_found', 'There is no job zebra.', 'target.adapter.jobId')],
    ] as const) {
      world.failures.createDeployment = error;
      await create();
      await until(() => noteOf(field)).toBe(error.message);
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(await isFocused(field)).toBe(true);
      expect(await dialog.getByText(error.message).count()).toBe(1);
      expect(await dialog.getByRole('alert').count()).toBe(0);
    }
    expect([await slug.inputValue(), await job.inputValue()]).toEqual(['zebra', JOB_ID]);
    delete world.failures.createDeployment;
    await slug.fill('okapi');
    await create();
    await until(() => dialog.count()).toBe(0);
    expect(bodies()).toHaveLength(4);
  });

  it('What was typed survives a reload, as after Studio was restarted, until it is sent or given up; Escape gives the focus back.', async () => {
    const { page, dialog, openForm, create } = await openDeployments([]);
    await openForm();
    await dialog.getByLabel('Slug').fill('my-slug');
    await dialog.getByLabel('Target').selectOption('base_model');
    await page.reload();
    await until(() => dialog.getByLabel('Slug').inputValue()).toBe('my-slug');
    expect(await dialog.getByLabel('Target').inputValue()).toBe('base_model');
    await dialog.getByText(BASE_MODEL).waitFor();
    await create();
    await until(() => dialog.count()).toBe(0);
    await openForm();
    await until(() => isFocused(dialog.getByLabel('Slug'))).toBe(true);
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await until(() => dialog.count()).toBe(0);
    await until(() => focusedName(page)).toBe('New endpoint');
    await openForm();
    await dialog.getByLabel('Slug').fill('given-up');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.getByText('my-slug').waitFor();
    expect(await dialog.count()).toBe(0);
  });
});
