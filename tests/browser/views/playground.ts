import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { BASE_MODEL } from '../../support/fake-studio/world.js';
import { refusal, type World } from '../../support/fake-studio.js';
import { JOB_ID, sampleJob } from '../../support/samples.js';
import { attributesOf, boxOf, goTo, hashOf, isFocused, kindsOf } from '../elements.js';
import { openStudio, stopClock, until } from '../harness.js';

const OTHER_ID = '5a2b3c4d-0000-4000-8000-000000000005';
const BASE = { baseModel: BASE_MODEL };
const finalOf = (jobId: string) => ({ adapter: { kind: 'final', jobId } });

interface Ask {
  messages: { role: string; content: string }[];
}

async function openChat(arrange?: (world: World) => void, hash = '#/playground') {
  const opened = await openStudio(hash, {
    arrange: world => {
      world.jobs = [sampleJob({ status: 'completed' }), sampleJob({ id: OTHER_ID, status: 'completed' })];
      world.reply = async function* ({ messages, adapter }) {
        yield `${adapter ? adapter.jobId.slice(0, 4) : 'base'}: ${messages.at(-1)?.content}`;
      };
      arrange?.(world);
    },
  });
  const { page, studio } = opened;
  const message = page.getByLabel('Message');
  const send = page.getByRole('button', { name: 'Send' });
  return {
    ...opened,
    message,
    send,
    first: page.getByRole('region', { name: 'Conversation', exact: true }),
    second: page.getByRole('region', { name: 'Second conversation' }),
    bodies: () => studio.callsOf('chat').map(({ body }) => body as Ask & Record<string, unknown>),
    async ask(text: string) {
      await message.fill(text);
      await send.click({ trial: true }); // waits until it is enabled
      await message.press('Enter');
    },
  };
}

/** An answer that comes when the test lets it. */
function heldReply(world: World) {
  let release = () => {};
  world.reply = async function* () {
    yield 'First part';
    await new Promise<void>(resolve => {
      release = resolve;
    });
    yield ', second part.';
  };
  return { release: () => release() };
}

async function download(page: Page, name: string): Promise<{ file: string; text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name }).click(),
  ]);
  return { file: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
}

describe('Playground', () => {
  it('Two modes: the base model, or the final adapter of any completed job; the other mode moves nothing, and nothing else can be set.', async () => {
    const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
    const jobs = Array.from({ length: 300 }, (_, index) =>
      sampleJob({ id: idOf(index), name: `job ${index}`, status: JOB_STATUSES[index % 5]! }),
    );
    const { page, bodies, ask, first } = await openChat(world => {
      world.jobs = jobs;
    });
    const places = async () => {
      const boxes = await Promise.all((await page.getByRole('radio').all()).map(boxOf));
      return [...boxes, await boxOf(first)];
    };
    await until(() => page.locator('fieldset code').textContent()).toBe(BASE_MODEL);
    expect(await page.locator('main select').count()).toBe(0);
    const before = await places();
    await page.getByLabel('Final adapter of a job').check();
    const options = page.getByLabel('Completed job').locator('option');
    await until(() => options.count()).toBe(60);
    expect(await places()).toEqual(before);
    const completed = jobs.filter(({ status }) => status === 'completed').map(({ id }) => id);
    expect(await attributesOf(options, 'value')).toEqual(completed);
    const controls = page.locator('main').locator('input, select, textarea');
    expect(await kindsOf(controls)).toEqual(['radio', 'radio', 'select', 'textarea']);
    await page.getByLabel('Completed job').selectOption(completed[7]!);
    await ask('and you?');
    await until(bodies).toEqual([
      { messages: [{ role: 'user', content: 'and you?' }], ...finalOf(completed[7]!), stream: true },
    ]);
  });

  it('Answers stream and say which model gave them; Enter sends, Shift+Enter breaks the line; Stop keeps what has come.', async () => {
    const { page, world, bodies, first, message, send } = await openChat();
    const reply = heldReply(world);
    await until(() => isFocused(message)).toBe(true);
    await message.press('Enter');
    await message.pressSequentially('one');
    await message.press('Shift+Enter');
    await message.pressSequentially('two');
    await send.click({ trial: true });
    await message.press('Enter');
    await first.getByText('First part').waitFor();
    expect(bodies()).toEqual([{ messages: [{ role: 'user', content: 'one\ntwo' }], ...BASE, stream: true }]);
    expect(await first.textContent()).toContain(`Base model: ${BASE_MODEL} · answering…`);
    // Nothing is sent while an answer comes.
    expect(await message.inputValue()).toBe('');
    await message.fill('<img src=x onerror=alert(1)>');
    await message.press('Enter');
    expect(await message.inputValue()).toContain('<img');
    reply.release();
    await first.getByText('First part, second part.').waitFor();
    await page.getByLabel('Final adapter of a job').check();
    await send.click();
    await first.getByText('Final adapter (job 1a2b3c4d)').waitFor();
    // What people and models write is text, never markup.
    await first.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await first.getByText('stopped').waitFor();
    expect(await isFocused(message)).toBe(true);
    reply.release();
    await until(() => send.count()).toBe(1);
    expect((await first.textContent())?.split('second part')).toHaveLength(2);
    expect(bodies()).toHaveLength(2);
  });

  it('The history stays in the page and is sent along; a refusal and an answer that breaks off are shown; a draft survives a restart.', async () => {
    const { page, world, studio, bodies, first, message, ask, send } = await openChat();
    await ask('one');
    await first.getByText('base: one').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.getByRole('link', { name: 'Playground' }).click();
    await first.getByText('base: one').waitFor();
    await until(() => isFocused(message)).toBe(true);
    await ask('two');
    await first.getByText('base: two').waitFor();
    expect(bodies()[1]?.messages.map(({ content }) => content)).toEqual(['one', 'base: one', 'two']);
    world.failures.chat = refusal(400, 'state_missing', 'Write orgSlug, projectSlug and projectId.');
    await ask('three');
    await first.getByText('Write orgSlug, projectSlug and projectId.').waitFor();
    delete world.failures.chat;
    world.reply = async function* () {
      yield 'half an ';
      throw refusal(503, 'engine_unavailable', 'The engine is starting again.');
    };
    await ask('four');
    await first.getByText('The engine is starting again.').waitFor();
    expect(await first.textContent()).toContain('half an');

    await message.fill('half a thou');
    studio.renewToken();
    await page.getByRole('radio', { name: 'Final adapter of a job' }).click();
    await page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
    // As another tab has none.
    await page.evaluate('sessionStorage.clear()');
    await page.getByRole('button', { name: 'Reload' }).click();
    await until(() => message.inputValue()).toBe('half a thou');
    await first.getByText('No messages yet').waitFor();
    await send.click();
    await until(() => message.inputValue()).toBe('');
    await page.reload();
    await page.getByText('Choose a model').waitFor();
    expect(await message.inputValue()).toBe('');
  });

  it('Without a completed job there is nothing to choose, and nothing can be sent, until one has completed.', async () => {
    const { page, world } = await openStudio('#/playground', { prepare: stopClock });
    const send = page.getByRole('button', { name: 'Send' });
    await page.getByLabel('Final adapter of a job').check();
    await page.getByText('No completed jobs yet').waitFor();
    await page.getByLabel('Message').fill('hi');
    expect(await send.isDisabled()).toBe(true);
    world.jobs = [sampleJob({ status: 'completed' })];
    await page.clock.runFor(5000);
    await until(() => page.getByLabel('Completed job').inputValue()).toBe(JOB_ID);
    expect(await send.isEnabled()).toBe(true);
  });

  it('Side by side, two models are asked the same, from the same history, in boxes that start level, whose rows can be saved', async () => {
    const { page, first, second, ask, bodies } = await openChat();
    await ask('hi');
    await first.getByText('base: hi').waitFor();
    expect(await download(page, 'Save rows')).toEqual({
      file: 'rows.jsonl',
      text: '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"base: hi"}]}\n',
    });
    const beside = page.getByRole('button', { name: 'Side by side' });
    await beside.click();
    await second.getByText('base: hi').waitFor();
    await ask('ho');
    await first.getByText('base: ho').waitFor();
    await second.getByText('1a2b: ho').waitFor();
    const [, one, other] = bodies();
    expect(one!.messages).toHaveLength(3);
    expect(other!.messages).toEqual(one!.messages);
    const [left, right] = [await boxOf(first), await boxOf(second)];
    expect([left.top, left.bottom]).toEqual([right.top, right.bottom]);
    const { file, text } = await download(page, 'Save rows of job 1a2b3c4d');
    expect(file).toBe('rows-of-job-1a2b3c4d.jsonl');
    expect(text).toContain('1a2b: ho');
    // What both were asked stays as each answered it.
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'Playground' }).click();
    await second.getByText('1a2b: ho').waitFor();

    await page.getByLabel('Final adapter of a job').check();
    await page.getByLabel('Second model').getByRole('combobox').selectOption(OTHER_ID);
    await ask('hu');
    await first.getByText('1a2b: hu').waitFor();
    await second.getByText('5a2b: hu').waitFor();
    await beside.click();
    // The last question is asked once more, and its answer replaced.
    await page.getByLabel('Base model').check();
    await page.getByRole('button', { name: 'Retry' }).click();
    await first.getByText('base: hu').waitFor();
    expect(await first.getByText('1a2b: hu').count()).toBe(0);
    expect(bodies()).toHaveLength(6);
  });

  it('A finished run leads to a chat with its final adapter, and to the endpoint form, filled in with it', async () => {
    const { page, first, bodies, ask, world } = await openChat(undefined, `#/jobs/${OTHER_ID}`);
    world.eventsOf(OTHER_ID).push('training.completed', { artifacts: [{}] });
    await page.getByRole('link', { name: 'Chat with it' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    await until(() => page.getByLabel('Completed job').inputValue()).toBe(OTHER_ID);
    expect(hashOf(page)).toBe('#/playground');
    await ask('hi');
    await first.getByText('5a2b: hi').waitFor();
    expect(bodies()[0]).toMatchObject(finalOf(OTHER_ID));
    await goTo(page, `#/jobs/${OTHER_ID}`);
    await page.getByRole('link', { name: 'Publish' }).click();
    await page.getByRole('dialog', { name: 'New endpoint' }).waitFor();
    expect(await page.getByLabel('Job ID').inputValue()).toBe(OTHER_ID);
    expect(await page.getByLabel('Target').inputValue()).toBe('final');
  });
});
