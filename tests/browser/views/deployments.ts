import { describe, expect, it } from 'vitest';
import { JOB_ID_RULE } from '../../../lib/console/index.js';
import { BASE_MODEL } from '../../support/fake-studio/world.js';
import { refusal } from '../../support/fake-studio.js';
import { JOB_ID, sampleDeployment } from '../../support/samples.js';
import { focusedName, hashOf, isFocused, kindsOf, noteOf } from '../elements.js';
import { hold, openStudio, setHidden, until } from '../harness.js';

const adapter = (ref: object) => ({ kind: 'adapter', adapter: { jobId: JOB_ID, ...ref } }) as never;
const CHECKPOINT = adapter({ kind: 'checkpoint', step: 40 });
const BASE = { kind: 'base_model', baseModel: BASE_MODEL } as const;
const of = (id: string, slug: string, fields = {}) =>
  sampleDeployment({ id, slug, url: `https://${slug}.d.example.com`, ...fields });
const PROBLEM = 'The files of this adapter are damaged.';
const THREE = [
  of('d1', 'demo', { problem: PROBLEM }),
  of('d2', 'other', { target: CHECKPOINT, enabled: false, customDomain: 'zebra.example' }),
  of('d3', 'plain', { target: BASE, authMode: 'none' }),
];

async function openDeployments(deployments = THREE) {
  const opened = await openStudio('#/endpoints', {
    arrange: world => {
      world.deployments = deployments;
    },
  });
  const { page, studio, dialog, button } = opened;
  return {
    ...opened,
    slug: dialog.getByLabel('Slug'),
    job: dialog.getByLabel('Job ID'),
    target: dialog.getByLabel('Target'),
    rows: async () => (await page.locator('main li').allInnerTexts()).map(text => text.split(/\s*\n\s*/)),
    bodies: () => studio.callsOf('createDeployment').map(({ body }) => body),
    openForm: () => button('New endpoint').click(),
    create: () => dialog.getByRole('button', { name: 'Create endpoint' }).click(),
  };
}

describe('Endpoints list', () => {
  it('Each row has slug, target, `authMode` and whether it is enabled, and opens its page by a click anywhere and by keys.', async () => {
    const { page, rows, isOn, sees } = await openDeployments();
    await until(rows).toEqual([
      ['demo.d.example.com', 'Final adapter (job 1a2b3c4d) cannot serve', 'fixed_api_key', 'enabled'],
      ['other.d.example.com', 'Checkpoint step 40 (job 1a2b3c4d)', 'fixed_api_key', 'disabled'],
      ['plain.d.example.com', `Base model: ${BASE_MODEL}`, 'none', 'enabled'],
    ]);
    const row = page.locator('main li').nth(1);
    const clickOnBadge = async () => {
      const { x, y } = (await row.locator('.badge').boundingBox())!;
      await page.mouse.click(x + 5, y + 5);
    };
    for (const open of [
      () => row.click({ position: { x: 400, y: 10 } }),
      clickOnBadge,
      () => row.getByRole('link').press('Enter'),
    ]) {
      await row.waitFor();
      await open();
      await until(() => hashOf(page)).toBe('#/endpoints/d2');
      await isOn('other.d.example.com');
      await page.getByRole('link', { name: 'Endpoints' }).first().click();
    }
    await page.getByRole('link', { name: 'demo.d.example.com' }).click();
    await sees(PROBLEM);
    expect(await page.locator('h1 + .badge').textContent()).toBe('enabled');
  });

  it('It is not refreshed by itself: a reload picks up outside changes. It says that it is long in coming, empty, or why it cannot be had.', async () => {
    let answer = () => {};
    const { page, studio, world, sees, reload, press } = await openStudio('#/endpoints', {
      arrange: opened => {
        answer = hold(opened, 'listDeployments');
      },
      prepare: opened => opened.clock.install(),
    });
    await sees('Loading…');
    expect(await page.getByText('No endpoints yet').count()).toBe(0);
    answer();
    await sees('No endpoints yet');
    expect(await page.getByText('Loading…').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('main').locator('input, select, [aria-pressed]').count()).toBe(0);
    world.deployments = THREE;
    await setHidden(page, true);
    await page.clock.fastForward(600_000);
    await setHidden(page, false);
    expect(studio.callsOf('listDeployments')).toHaveLength(1);
    world.failures.listDeployments = refusal(500, 'internal_error', 'The list cannot be read.');
    await reload().sees('The list cannot be read.');
    delete world.failures.listDeployments;
    await press('Try again');
    await until(() => page.locator('main li').count()).toBe(3);
  });
});

describe('Create deployment form', () => {
  it('Fields in section 2 (Deployment): a slug, a target of each kind, an auth mode, and no other; on success the list has the new row.', async () => {
    const opened = await openDeployments([]);
    const { page, studio, dialog, slug, bodies, openForm, create, rows, sees } = opened;
    await sees('No endpoints yet');
    const mode = dialog.getByLabel('Auth mode');
    for (const [name, kind, fields, target] of [
      ['first', 'final', { 'Job ID': JOB_ID }, adapter({ kind: 'final' })],
      ['second', 'checkpoint', { 'Job ID': JOB_ID, Step: '40' }, CHECKPOINT],
      ['third', 'base_model', {}, BASE],
    ] as const) {
      await openForm();
      expect(await mode.inputValue()).toBe('fixed_api_key');
      await slug.fill(name);
      await opened.target.selectOption(kind);
      for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
      const authMode = name === 'third' ? 'none' : 'fixed_api_key';
      await mode.selectOption(authMode);
      const labels = (await dialog.locator('label').allTextContents()).sort();
      expect(labels).toEqual(['Auth mode', ...Object.keys(fields), 'Slug', 'Target'].sort());
      await create();
      await until(() => dialog.count()).toBe(0);
      await until(async () => (await rows()).map(([url]) => url)).toContain(`${name}.d.example.com`);
      await until(() => focusedName(page)).toBe('New endpoint');
      expect(bodies().at(-1)).toEqual({ slug: name, target, authMode });
    }
    const calls = studio.calls.map(({ name }) => name).filter(name => /Deployment|Jobs/.test(name));
    const ofOne = ['createDeployment', 'listDeployments'];
    expect(calls).toEqual(['listDeployments', ...ofOne, ...ofOne, ...ofOne]);
  });

  it('What was sent is no draft anymore, also where one left before the answer.', async () => {
    const { page, world, studio, slug, target, openForm, create, visit, back, isOn } = await openDeployments(
      [],
    );
    await visit('#/jobs').isOn('Jobs');
    await visit('#/endpoints').isOn('Endpoints');
    await openForm();
    await slug.fill('sent');
    await target.selectOption('base_model');
    const release = hold(world, 'createDeployment');
    await create();
    await until(() => studio.callsOf('createDeployment').length).toBe(1);
    await back();
    await isOn('Jobs');
    release();
    const drafts = "Object.keys(localStorage).filter(key => key.startsWith('svc-draft-')).length";
    await until(() => page.evaluate(drafts)).toBe(0);
    await visit('#/endpoints').isOn('Endpoints');
    await openForm();
    await until(() => slug.inputValue()).toBe('');
  });

  it('What is no slug or no job’s ID is told at its field and not sent; what the cloud says of a field stands there alone, and the form stays.', async () => {
    const { world, dialog, slug, job, bodies, openForm, create } = await openDeployments([]);
    await openForm();
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
      [job, refusal(404, 'job_not_found', 'There is no job zebra.', 'target.adapter.jobId')],
    ] as const) {
      world.failures.createDeployment = error;
      await create();
      await until(() => noteOf(field)).toBe(error.message);
      expect([await field.getAttribute('aria-invalid'), await isFocused(field)]).toEqual(['true', true]);
      expect(await dialog.getByText(error.message).count()).toBe(1);
      expect(await dialog.getByRole('alert').count()).toBe(0);
    }
    expect([await slug.inputValue(), await job.inputValue()]).toEqual(['zebra', JOB_ID]);
    delete world.failures.createDeployment;
    await slug.fill('okapi');
    await create();
    await until(() => dialog.count()).toBe(0);
    expect(bodies()).toHaveLength(3);
  });

  it('What was typed survives a reload, as after Studio was restarted, until it is sent or given up; Escape gives the focus back, and waits for what is being sent.', async () => {
    const { page, world, studio, dialog, slug, target, openForm, create, reload, keys } =
      await openDeployments([]);
    await openForm();
    await slug.fill('my-slug');
    await target.selectOption('base_model');
    await reload();
    await until(() => slug.inputValue()).toBe('my-slug');
    expect(await target.inputValue()).toBe('base_model');
    await dialog.getByText(BASE_MODEL).waitFor();
    const answer = hold(world, 'createDeployment');
    await create();
    await until(() => studio.callsOf('createDeployment').length).toBe(1);
    await keys('Escape', 'Escape');
    expect(await dialog.count()).toBe(1);
    answer();
    await until(() => dialog.count()).toBe(0);
    await openForm();
    await until(() => isFocused(slug)).toBe(true);
    expect(await slug.inputValue()).toBe('');
    await keys('Escape');
    await until(() => dialog.count()).toBe(0);
    await until(() => focusedName(page)).toBe('New endpoint');
    await openForm();
    await slug.fill('given-up');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await reload().sees('my-slug');
    expect(await dialog.count()).toBe(0);
  });

  it('What was typed stays with its project when another one gets its port.', async () => {
    const { studio, dialog, slug, openForm, reload, keys } = await openDeployments([]);
    await openForm();
    await slug.fill('of-triage');
    studio.moveTo('/projects/other');
    await reload().sees('No endpoints yet');
    expect(await dialog.count()).toBe(0);
    await openForm();
    expect(await slug.inputValue()).toBe('');
    await keys('Escape');
    studio.moveTo('/projects/triage');
    await reload();
    await until(() => slug.inputValue()).toBe('of-triage');
  });
});
