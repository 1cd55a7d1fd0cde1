import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { BASE_MODEL } from '../../support/fake-studio/world.js';
import { JOB_ID, sampleJob } from '../../support/samples.js';
import { isFocused } from '../elements.js';
import { openStudio, until } from '../harness.js';

const OTHER_ID = '5a2b3c4d-0000-4000-8000-000000000005';
const BASE = { baseModel: BASE_MODEL };
const finalOf = (jobId: string) => ({ adapter: { kind: 'final', jobId } });

async function open(hash = '#/playground') {
  const opened = await openStudio(hash, {
    arrange: world => {
      world.jobs = [sampleJob({ status: 'completed' }), sampleJob({ id: OTHER_ID, status: 'completed' })];
      world.reply = async function* ({ messages, adapter }) {
        yield `${adapter ? adapter.jobId.slice(0, 4) : 'base'}: ${messages.at(-1)?.content}`;
      };
    },
  });
  const { page, studio } = opened;
  const message = page.getByLabel('Message');
  return {
    ...opened,
    message,
    first: page.getByRole('region', { name: 'Conversation', exact: true }),
    second: page.getByRole('region', { name: 'Second conversation' }),
    models: () =>
      studio.callsOf('chat').map(({ body }) => {
        const { messages: _messages, stream: _stream, ...model } = body as Record<string, unknown>;
        return model;
      }),
    async ask(text: string) {
      await message.fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    },
  };
}

describe('Playground, beside what is specified', () => {
  it('asks two models the same: the base model beside an adapter, or two adapters', async () => {
    const { page, first, second, models, ask } = await open();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.getByText('It answers from your next message on.').waitFor();
    expect(await page.getByRole('radio').count()).toBe(2);
    await ask('hi');
    await first.getByText('base: hi').waitFor();
    await second.getByText('1a2b: hi').waitFor();
    await until(() => models().length).toBe(2);
    expect(models()).toEqual(expect.arrayContaining([BASE, finalOf(JOB_ID)]));
    await page.getByLabel('Final adapter of a job').check();
    await page.getByLabel('Second model').getByRole('combobox').selectOption(OTHER_ID);
    await ask('ho');
    await first.getByText('1a2b: ho').waitFor();
    await second.getByText('5a2b: ho').waitFor();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await ask('hu');
    await first.getByText('1a2b: hu').waitFor();
    await until(() => models().length).toBe(5);
  });

  it('has a second model go on from what the first was asked before', async () => {
    const { page, first, second, ask, studio } = await open();
    await ask('hi');
    await first.getByText('base: hi').waitFor();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await second.getByText('base: hi').waitFor();
    await ask('ho');
    await second.getByText('1a2b: ho').waitFor();
    await until(() => studio.callsOf('chat').length).toBe(3);
    const [, one, other] = studio
      .callsOf('chat')
      .map(({ body }) => (body as { messages: unknown[] }).messages);
    expect(one).toHaveLength(3);
    expect(other).toEqual(one);
    // What both were asked stays as each answered it.
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'Playground' }).click();
    await second.getByText('1a2b: ho').waitFor();
  });

  it('asks the last question once more, and replaces the answer', async () => {
    const { page, first, models, ask } = await open();
    await ask('hi');
    await first.getByText('base: hi').waitFor();
    await page.getByLabel('Final adapter of a job').check();
    await page.getByRole('button', { name: 'Retry' }).click();
    await first.getByText('1a2b: hi').waitFor();
    expect(await first.getByText('base: hi').count()).toBe(0);
    expect(models()).toEqual([BASE, finalOf(JOB_ID)]);
  });

  it('saves the answers as rows to train on', async () => {
    const { page, first, ask } = await open();
    await ask('hi');
    await first.getByText('base: hi').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save rows' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('rows.jsonl');
    expect(await readFile(await download.path(), 'utf8')).toBe(
      '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"base: hi"}]}\n',
    );
  });

  it('has two conversations that start level, each with its rows to save', async () => {
    const { page, first, second, ask } = await open();
    await page.getByRole('button', { name: 'Side by side' }).click();
    await ask('hi');
    await second.getByText('1a2b: hi').waitFor();
    const [left, right] = [await first.boundingBox(), await second.boundingBox()];
    expect(left!.y).toBe(right!.y);
    expect(left!.height).toBe(right!.height);
    const saves = page.getByRole('button', { name: 'Save rows' });
    expect((await saves.allTextContents()).map(text => text.trim())).toEqual([
      'Save rows of the base model',
      'Save rows of job 1a2b3c4d',
    ]);
    const [download] = await Promise.all([page.waitForEvent('download'), saves.nth(1).click()]);
    expect(download.suggestedFilename()).toBe('rows-of-job-1a2b3c4d.jsonl');
    expect(await readFile(await download.path(), 'utf8')).toContain('1a2b: hi');
  });

  it('has the focus in its message box, also after a click on its tab', async () => {
    const { page, message } = await open();
    await until(() => isFocused(message)).toBe(true);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.getByRole('link', { name: 'Playground' }).click();
    await until(() => isFocused(page.getByLabel('Message'))).toBe(true);
  });

  it('keeps a draft for another tab, as after a restart of Studio', async () => {
    const { page, message } = await open();
    await message.fill('half a thought');
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await until(() => page.getByLabel('Message').inputValue()).toBe('half a thought');
  });
});

describe('A finished run', () => {
  it('leads to a chat with its final adapter', async () => {
    const { page, first, models, ask, world } = await open(`#/jobs/${OTHER_ID}`);
    world.eventsOf(OTHER_ID).push('training.completed', { artifacts: [{}] });
    await page.getByRole('link', { name: 'Chat with it' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    await until(() => page.getByLabel('Completed job').inputValue()).toBe(OTHER_ID);
    expect(new URL(page.url()).hash).toBe('#/playground');
    await ask('hi');
    await first.getByText('5a2b: hi').waitFor();
    expect(models()).toEqual([finalOf(OTHER_ID)]);
  });

  it('leads to the endpoint form, filled in with its final adapter', async () => {
    const { page, world } = await open(`#/jobs/${OTHER_ID}`);
    world.eventsOf(OTHER_ID).push('training.completed', { artifacts: [{}] });
    await page.getByRole('link', { name: 'Publish' }).click();
    await page.getByRole('dialog', { name: 'New endpoint' }).waitFor();
    expect(await page.getByLabel('Job ID').inputValue()).toBe(OTHER_ID);
    expect(await page.getByLabel('Target').inputValue()).toBe('final');
  });

  it('offers nothing while it runs or without an adapter', async () => {
    const { page, world } = await open(`#/jobs/${JOB_ID}`);
    world.jobs[0]!.status = 'running';
    world.eventsOf(JOB_ID).push('training.started', {});
    await page.getByText('Status: running').waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: 'Chat with it' }).count()).toBe(0);
  });
});
