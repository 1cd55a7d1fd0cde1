import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { BASE_MODEL } from '../../support/fake-studio/world.js';
import { refusal, type World } from '../../support/fake-studio.js';
import { sampleModelFacts } from '../../support/sample-overview.js';
import { JOB_ID, sampleJob } from '../../support/samples.js';
import { attributesOf, boxOf, hashOf, isFocused, kindsOf } from '../elements.js';
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
  const { page, studio, card } = opened;
  const message = page.getByLabel('Message');
  const send = page.getByRole('button', { name: 'Send' });
  return {
    ...opened,
    message,
    send,
    first: card('Conversation'),
    second: card('Second conversation'),
    adapterMode: page.getByLabel('Final adapter of a job'),
    jobs: page.getByLabel('Completed job'),
    bodies: () => studio.callsOf('chat').map(({ body }) => body as Ask & Record<string, unknown>),
    async ask(text: string) {
      await message.fill(text);
      await send.click({ trial: true }); // waits until it is enabled
      await message.press('Enter');
    },
  };
}

it('folds what the model thinks into a line', async () => {
  const { page, first, ask } = await openChat(world => {
    world.reply = async function* () {
      yield { thought: 'Let me see.' };
      yield 'Hello.';
    };
  });
  await ask('Hi');
  const thought = first.getByText('Let me see.');
  await first.getByText('Hello.').waitFor();
  await until(() => thought.isVisible()).toBe(false);
  await page.getByText('Thought: 11 characters').click();
  await until(() => thought.isVisible()).toBe(true);
});

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
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  const saved = await saving;
  return { file: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
}

it('Playground: Two modes: the base model, or the final adapter of any completed job; the other mode moves nothing, and nothing else can be set.', async () => {
  const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
  const all = Array.from({ length: 300 }, (_, index) =>
    sampleJob({ id: idOf(index), name: `job ${index}`, status: JOB_STATUSES[index % 5]! }),
  );
  const { page, bodies, ask, first, adapterMode, jobs } = await openChat(world => {
    world.jobs = all;
  });
  const places = async () => {
    const boxes = await Promise.all((await page.getByRole('radio').all()).map(boxOf));
    return [...boxes, await boxOf(first)];
  };
  await until(() => page.locator('fieldset code').textContent()).toBe(BASE_MODEL);
  expect(await page.locator('main select').count()).toBe(0);
  const before = await places();
  await adapterMode.check();
  const completed = all.filter(({ status }) => status === 'completed').map(({ id }) => id);
  await until(() => attributesOf(jobs.locator('option'), 'value')).toEqual(completed);
  expect(await places()).toEqual(before);
  const controls = page.locator('main').locator('input, select, textarea');
  expect(await kindsOf(controls)).toEqual(['radio', 'radio', 'select', 'textarea']);
  await jobs.selectOption(completed[7]!);
  await ask('and you?');
  const messages = [{ role: 'user', content: 'and you?' }];
  await until(bodies).toEqual([{ messages, ...finalOf(completed[7]!), temperature: 0.7, stream: true }]);
});

it('Playground: What the model recommends is known as soon as the project is there: a cloud elsewhere is not asked before.', async () => {
  const { page, bodies, first, ask, world } = await openChat(world => {
    world.identity.projectSlug = null;
  });
  await page.getByText('temperature 0.7').waitFor();
  world.reply = async function* () {
    world.identity.projectSlug = 'support-bot-1f2e';
    world.baseModel = { ...sampleModelFacts, sampling: { temperature: 0.2 } };
    yield 'Hello.';
  };
  await ask('Hi');
  await first.getByText('Hello.').waitFor();
  await page.getByText('temperature 0.2').waitFor();
  await ask('And you?');
  await until(() => bodies().map(({ temperature }) => temperature)).toEqual([0.7, 0.2]);
});

it('Playground: Answers stream and say which model gave them; Enter sends, Shift+Enter breaks the line; Stop keeps what has come.', async () => {
  const { page, world, bodies, first, message, send, press, adapterMode } = await openChat();
  const reply = heldReply(world);
  await until(() => isFocused(message)).toBe(true);
  await message.press('Enter');
  await message.pressSequentially('one');
  // The Enter that takes over what an input method offers: Safari tells of it only by this code.
  await message.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await message.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  await message.press('Shift+Enter');
  await message.pressSequentially('two');
  await send.click({ trial: true });
  await message.press('Enter');
  await first.getByText('First part').waitFor();
  expect(bodies()).toEqual([
    { messages: [{ role: 'user', content: 'one\ntwo' }], ...BASE, temperature: 0.7, stream: true },
  ]);
  expect(await first.textContent()).toContain(`Base model: ${BASE_MODEL} · answering…`);
  // Nothing is sent while an answer comes.
  expect(await message.inputValue()).toBe('');
  await message.fill('<img src=x onerror=alert(1)>');
  await message.press('Enter');
  expect(await message.inputValue()).toContain('<img');
  reply.release();
  await first.getByText('First part, second part.').waitFor();
  await adapterMode.check();
  await send.click();
  await first.getByText('Final adapter (job 1a2b3c4d)').waitFor();
  // What people and models write is text, never markup.
  await first.getByText('<img src=x onerror=alert(1)>').waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  await until(() => bodies().length).toBe(2);
  await press('Stop');
  await first.getByText('stopped').waitFor();
  expect(await isFocused(message)).toBe(true);
  reply.release();
  await until(() => send.count()).toBe(1);
  expect((await first.textContent())?.split('second part')).toHaveLength(2);
});

it('Playground: The history stays in the page and is sent along; a refusal and an answer that breaks off are shown; a draft survives a restart.', async () => {
  const { page, world, studio, bodies, first, message, ask, send, press, follow, reload, adapterMode } =
    await openChat();
  await ask('one');
  await first.getByText('base: one').waitFor();
  await follow('Jobs').isOn('Jobs');
  await follow('Playground');
  await first.getByText('base: one').waitFor();
  await until(() => isFocused(message)).toBe(true);
  world.reply = async function* () {
    yield 'half an ';
    throw refusal(503, 'engine_unavailable', 'The engine is starting again.');
  };
  await ask('two');
  await first.getByText('The engine is starting again.').waitFor();
  expect(await first.textContent()).toContain('half an');
  expect(bodies()[1]?.messages.map(({ content }) => content)).toEqual(['one', 'base: one', 'two']);
  world.failures.chat = refusal(400, 'state_missing', 'Write orgSlug, projectSlug and projectId.');
  await ask('three');
  await first.getByText('Write orgSlug, projectSlug and projectId.').waitFor();
  delete world.failures.chat;

  await message.fill('half a thou');
  studio.renewToken();
  await adapterMode.click();
  await page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
  // As another tab has none.
  await page.evaluate('sessionStorage.clear()');
  await press('Reload');
  await until(() => message.inputValue()).toBe('half a thou');
  await first.getByText('No messages yet').waitFor();
  await send.click();
  await until(() => message.inputValue()).toBe('');
  await reload().sees('Choose a model');
  expect(await message.inputValue()).toBe('');
});

it('Playground: Without a completed job there is nothing to choose, and nothing can be sent, until one has completed.', async () => {
  const { page, world, sees, button } = await openStudio('#/playground', { prepare: stopClock });
  await page.getByLabel('Final adapter of a job').check();
  await sees('No completed jobs yet');
  await page.getByLabel('Message').fill('hi');
  expect(await button('Send').isDisabled()).toBe(true);
  world.jobs = [sampleJob({ status: 'completed' })];
  await page.clock.runFor(5000);
  await until(() => page.getByLabel('Completed job').inputValue()).toBe(JOB_ID);
  expect(await button('Send').isEnabled()).toBe(true);
});

it('Playground: Side by side, two models are asked the same, from the same history, in boxes that start level, whose rows can be saved', async () => {
  const { page, first, second, ask, bodies, press, follow, adapterMode } = await openChat();
  await ask('hi');
  await first.getByText('base: hi').waitFor();
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'base: hi' },
  ];
  const saved = { file: 'rows.jsonl', text: `${JSON.stringify({ messages })}\n` };
  expect(await download(page, 'Save rows')).toEqual(saved);
  await press('Side by side');
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
  expect([file, text]).toEqual(['rows-of-job-1a2b3c4d.jsonl', expect.stringContaining('1a2b: ho')]);
  // What both were asked stays as each answered it.
  await follow('Overview');
  await follow('Playground');
  await second.getByText('1a2b: ho').waitFor();

  await adapterMode.check();
  await page.getByLabel('Second model').getByRole('combobox').selectOption(OTHER_ID);
  await ask('hu');
  await first.getByText('1a2b: hu').waitFor();
  await second.getByText('5a2b: hu').waitFor();
  await press('Side by side');
  // The last question is asked once more, and its answer replaced.
  await page.getByLabel('Base model').check();
  await press('Retry');
  await until(() => isFocused(page.getByRole('textbox', { name: 'Message' }))).toBe(true);
  await first.getByText('base: hu').waitFor();
  expect(await first.getByText('1a2b: hu').count()).toBe(0);
  expect(bodies()).toHaveLength(6);
});

it('Playground: Side by side, Stop stops both, and so does it with the second model when that is turned off', async () => {
  const { first, second, ask, press, button, studio } = await openChat(held => {
    held.reply = async function* ({ adapter }) {
      yield `part of ${adapter ? 'second' : 'first'}`;
      await new Promise(() => {});
    };
  });
  const beside = button('Side by side');
  await beside.click();
  await ask('one');
  await second.getByText('part of second').waitFor();
  await first.getByText('part of first').waitFor();
  await press('Stop');
  await first.getByText('stopped').waitFor();
  await second.getByText('stopped').waitFor();

  await ask('two');
  for (const [box, text] of [
    [first, 'part of first'],
    [second, 'part of second'],
  ] as const)
    await until(() => box.getByText(text).count()).toBe(2);
  await beside.click();
  await press('Stop');
  await until(() => button('Send').count()).toBe(1);
  await beside.click();
  await until(() => second.getByText('stopped').count()).toBe(2);
  expect(studio.callsOf('chat')).toHaveLength(4);
});

it('Playground: A link to a job that is gone says so, and no other job answers in its place', async () => {
  const { page, bodies, message, send, jobs, first, ask } = await openChat(
    undefined,
    '#/playground?job=gone',
  );
  await page.getByText('Job gone is not in this project, or has no final adapter to chat with.').waitFor();
  expect(await jobs.inputValue()).toBe('');
  await message.fill('hi');
  expect(await send.isDisabled()).toBe(true);
  await jobs.selectOption(OTHER_ID);
  await ask('hi');
  await first.getByText('5a2b: hi').waitFor();
  expect(await page.getByText('Job gone').count()).toBe(0);
  expect(bodies()).toHaveLength(1);
});

it('Playground: A finished run leads to a chat with its final adapter, and to the endpoint form, filled in with it', async () => {
  const hash = `#/jobs/${OTHER_ID}`;
  const { page, first, bodies, ask, world, jobs, adapterMode, follow, visit, press } = await openChat(
    undefined,
    hash,
  );
  world.eventsOf(OTHER_ID).push('training.completed', { artifacts: [{}] });
  await follow('Chat with it').isOn('Playground');
  await until(() => jobs.inputValue()).toBe(OTHER_ID);
  expect(hashOf(page)).toBe('#/playground');
  await ask('hi');
  await first.getByText('5a2b: hi').waitFor();
  expect(bodies()[0]).toMatchObject(finalOf(OTHER_ID));
  // The same link counts again after another choice.
  await page.getByLabel('Base model').check();
  await visit(`#/playground?job=${OTHER_ID}`);
  await until(() => adapterMode.isChecked()).toBe(true);
  expect([await jobs.inputValue(), hashOf(page)]).toEqual([OTHER_ID, '#/playground']);
  await visit(hash);
  await follow('Publish');
  await page.getByRole('dialog', { name: 'New endpoint' }).waitFor();
  expect(await page.getByLabel('Job ID').inputValue()).toBe(OTHER_ID);
  expect(await page.getByLabel('Target').inputValue()).toBe('final');
  await press('Close');
  await visit(`#/endpoints?job=${JOB_ID}`);
  await until(() => page.getByLabel('Job ID').inputValue()).toBe(JOB_ID);
  await press('Close');
  await visit(`#/endpoints?job=${JOB_ID}`);
  await until(() => page.getByLabel('Job ID').inputValue()).toBe(JOB_ID);
});
