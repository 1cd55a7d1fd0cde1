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
const THREE = [
  of('d1', 'demo'),
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
  it('Each row shows: the slug with the deployment host suffix; a one-line target summary; the current `authMode`; an enabled/disabled badge.', async () => {
    const { page, rows } = await openDeployments();
    await until(rows).toEqual([
      ['demo.d.example.com', 'Final adapter (job 1a2b3c4d)', 'fixed_api_key', 'enabled'],
      ['other.d.example.com', 'Checkpoint step 40 (job 1a2b3c4d)', 'fixed_api_key', 'disabled'],
      ['plain.d.example.com', `Base model: ${BASE_MODEL}`, 'none', 'enabled'],
    ]);
    expect(await page.getByText('zebra').count()).toBe(0);
  });

  it('The badge says enabled or disabled, also of an endpoint that cannot serve, which has a second mark.', async () => {
    const problem = 'The files of this adapter are damaged.';
    const { page } = await openDeployments([
      of('d1', 'demo', { problem }),
      of('d2', 'other', { problem, enabled: false }),
    ]);
    const badges = (row: number) => page.locator('main li').nth(row).locator('.badge').allInnerTexts();
    await until(() => badges(0)).toEqual(['cannot serve', 'enabled']);
    expect(await badges(1)).toEqual(['cannot serve', 'disabled']);
    await page.getByRole('link', { name: 'demo.d.example.com' }).click();
    await page.getByText(problem).waitFor();
    expect(await page.locator('h1 + .badge').textContent()).toBe('enabled');
  });

  it('Clicking a row opens the detail view.', async () => {
    const { page } = await openDeployments();
    const row = page.locator('main li').nth(1);
    const hash = () => hashOf(page);
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
      await until(hash).toBe('#/endpoints/d2');
      await page.getByRole('heading', { name: 'other.d.example.com' }).waitFor();
      await page.getByRole('link', { name: 'Endpoints' }).first().click();
    }
  });

  it('No search, filter or auto-refresh; a reload picks up outside changes.', async () => {
    const { page, studio, world } = await openStudio('#/endpoints', {
      arrange: opened => {
        opened.deployments = [of('d1', 'demo')];
      },
      prepare: opened => opened.clock.install(),
    });
    await page.getByText('enabled', { exact: true }).waitFor();
    expect(await page.locator('main').locator('input, select, [aria-pressed]').count()).toBe(0);
    world.deployments = [of('d1', 'demo', { enabled: false })];
    await setHidden(page, true);
    await page.clock.fastForward(600_000);
    await setHidden(page, false);
    expect(studio.callsOf('listDeployments')).toHaveLength(1);
    expect(await page.getByText('disabled', { exact: true }).count()).toBe(0);
    await page.reload();
    await page.getByText('disabled', { exact: true }).waitFor();
  });

  it('an empty list right after launch is normal.', async () => {
    const { page } = await openDeployments([]);
    await page.getByText('No endpoints yet').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('A list that is long in coming says so, and not that it is empty.', async () => {
    let answer = () => {};
    const { page, rows } = await openDeployments(THREE, opened => {
      opened.slowness.listDeployments = new Promise<void>(resolve => {
        answer = resolve;
      });
    });
    await page.getByText('Loading…').waitFor();
    expect(await page.getByText('No endpoints yet').count()).toBe(0);
    answer();
    await until(async () => (await rows()).length).toBe(3);
    expect(await page.getByText('Loading…').count()).toBe(0);
  });

  it('A list that cannot be had says why, and can be asked for again.', async () => {
    const { page, world, rows } = await openDeployments(THREE, opened => {
      opened.failures.listDeployments = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    });
    await page.getByText('Cannot reach the cloud.').waitFor();
    delete world.failures.listDeployments;
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(async () => (await rows()).length).toBe(3);
  });
});

describe('Create deployment form', () => {
  it('Fields in section 2 (Deployment): a slug, a target of each kind, an auth mode, and no other.', async () => {
    const { page, studio, dialog, bodies, openForm, create } = await openDeployments([]);
    for (const [slug, kind, fields, target] of [
      [
        'first',
        'final',
        { 'Job ID': JOB_ID },
        { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } },
      ],
      [
        'second',
        'checkpoint',
        { 'Job ID': JOB_ID, Step: '40' },
        { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } },
      ],
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
      const authMode = slug === 'third' ? 'none' : 'fixed_api_key';
      expect(bodies().at(-1)).toEqual({ slug, target, authMode });
    }
    await until(() => page.locator('main li').count()).toBe(3);
    expect(studio.callsOf('listJobs')).toEqual([]);
  });

  it('On success the form closes and the list reloads with the new row.', async () => {
    const { page, studio, dialog, openForm, create, rows } = await openDeployments([]);
    await page.getByText('No endpoints yet').waitFor();
    await openForm();
    await dialog.getByLabel('Slug').fill('fresh');
    await dialog.getByLabel('Job ID').fill(JOB_ID);
    await create();
    await until(async () => (await rows())[0]?.[0]).toBe('fresh.d.example.com');
    expect(await dialog.count()).toBe(0);
    expect(await focusedName(page)).toBe('New endpoint');
    expect(
      studio.calls
        .map(({ name }) => name)
        .filter(name => name.endsWith('Deployments') || name === 'createDeployment'),
    ).toEqual(['listDeployments', 'createDeployment', 'listDeployments']);
  });

  it('On a 409 (slug collision) the upstream message is shown and the form stays open.', async () => {
    const { world, dialog, openForm, create } = await openDeployments([], opened => {
      opened.failures.createDeployment = refusal(409, 'slug_taken', 'taken: zebra 42', 'slug');
    });
    await openForm();
    await dialog.getByLabel('Slug').fill('zebra');
    await dialog.getByLabel('Job ID').fill(JOB_ID);
    await create();
    await dialog.getByText('taken: zebra 42').waitFor();
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('zebra');
    expect(await dialog.getByLabel('Job ID').inputValue()).toBe(JOB_ID);
    expect(await dialog.getByLabel('Slug').getAttribute('aria-invalid')).toBe('true');
    delete world.failures.createDeployment;
    await dialog.getByLabel('Slug').fill('okapi');
    await create();
    await until(() => dialog.count()).toBe(0);
  });

  it('The job UUID is entered as plain text.', async () => {
    const { dialog, openForm } = await openDeployments([]);
    await openForm();
    const field = dialog.getByLabel('Job ID');
    expect(await kindsOf(field)).toEqual(['text']);
    expect(await field.getAttribute('list')).toBeNull();
  });

  it('reserved labels are rejected by the backend, what is no slug by the form.', async () => {
    const { dialog, bodies, openForm, create } = await openDeployments([], opened => {
      opened.failures.createDeployment = refusal(400, 'slug_reserved', 'The label www is reserved.', 'slug');
    });
    await openForm();
    await dialog.getByLabel('Job ID').fill(JOB_ID);
    await dialog.getByLabel('Slug').fill('Not a slug');
    await create();
    await dialog.getByText(/^Use 2–50 lowercase/).waitFor();
    expect(bodies()).toEqual([]);
    await dialog.getByLabel('Slug').fill('www');
    await create();
    await dialog.getByText('The label www is reserved.').waitFor();
    expect(bodies()).toHaveLength(1);
  });

  it('What is no ID of a job is told apart in words of a person, at the field, and not sent.', async () => {
    const { dialog, bodies, openForm, create } = await openDeployments([]);
    await openForm();
    const field = dialog.getByLabel('Job ID');
    expect(await noteOf(field)).toBe(JOB_ID_RULE);
    await dialog.getByLabel('Slug').fill('zebra');
    await field.fill('the last one');
    await create();
    await until(() => noteOf(field)).toBe(`Not a valid job ID. ${JOB_ID_RULE}`);
    expect(await isFocused(field)).toBe(true);
    expect(bodies()).toEqual([]);
    await field.fill('f');
    await create();
    await until(() => noteOf(field)).toBe('No job of this project has this ID.');
    expect(bodies()).toEqual([]);
    await field.fill(JOB_ID);
    await create();
    await until(() => dialog.count()).toBe(0);
  });

  it('What the cloud says of a field stands at the field, and there alone.', async () => {
    const { dialog, openForm, create } = await openDeployments([], opened => {
      const path = 'target.adapter.jobId';
      opened.failures.createDeployment = refusal(404, 'job_not_found', 'There is no job zebra.', path);
    });
    await openForm();
    await dialog.getByLabel('Slug').fill('zebra');
    const field = dialog.getByLabel('Job ID');
    await field.fill(JOB_ID);
    await create();
    await until(() => noteOf(field)).toBe('There is no job zebra.');
    expect(await isFocused(field)).toBe(true);
    expect(await dialog.getByText('There is no job zebra.').count()).toBe(1);
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('What was typed survives a reload, as after Studio was restarted, until it is sent or given up.', async () => {
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
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('');
    await dialog.getByLabel('Slug').fill('given-up');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.getByText('my-slug').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('Escape closes the form, and the focus goes back to the button.', async () => {
    const { page, dialog, openForm } = await openDeployments([]);
    await openForm();
    await dialog.getByLabel('Slug').waitFor();
    expect(await isFocused(dialog.getByLabel('Slug'))).toBe(true);
    await page.keyboard.press('Escape');
    await until(() => dialog.count()).toBe(0);
    await until(() => focusedName(page)).toBe('New endpoint');
  });
});
