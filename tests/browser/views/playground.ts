import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { BASE_MODEL } from '../../support/fake-studio/world.js';
import { refusal, type World } from '../../support/fake-studio.js';
import { JOB_ID, sampleJob } from '../../support/samples.js';
import { attributesOf, boxOf, isFocused, kindsOf } from '../elements.js';
import { openStudio, stopClock, until } from '../harness.js';

const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;

async function openChat(arrange?: (world: World) => void) {
  const opened = await openStudio('#/playground', {
    arrange: world => {
      world.jobs = [sampleJob({ status: 'completed' })];
      arrange?.(world);
    },
  });
  const { page, studio } = opened;
  const message = page.getByLabel('Message');
  const send = async () => {
    await page.getByRole('button', { name: 'Send' }).click({ trial: true }); // waits until it is enabled
    await message.press('Enter');
  };
  return {
    ...opened,
    message,
    send,
    conversation: page.getByRole('region', { name: 'Conversation' }),
    bodies: () => studio.callsOf('chat').map(({ body }) => body),
    async ask(text: string) {
      await message.fill(text);
      await send();
    },
  };
}

/** An answer that comes when the test lets it. */
function heldReply(world: World) {
  let release = () => {};
  let wasLeft = false;
  world.reply = async function* () {
    try {
      yield 'First part';
      await new Promise<void>(resolve => {
        release = resolve;
      });
      yield ', second part.';
    } finally {
      wasLeft = true;
    }
  };
  return { release: () => release(), wasLeft: () => wasLeft };
}

describe('Playground', () => {
  it('Two modes: the single supported base model, or the final adapter of any completed job.', async () => {
    const jobs = Array.from({ length: 300 }, (_, index) =>
      sampleJob({ id: idOf(index), name: `job ${index}`, status: JOB_STATUSES[index % 5]! }),
    );
    const { page, bodies, ask } = await openChat(world => {
      world.jobs = jobs;
    });
    await until(() => page.getByRole('radio').count()).toBe(2);
    await until(() => page.locator('fieldset code').textContent()).toBe(BASE_MODEL);
    expect(await page.locator('main select').count()).toBe(0);
    await ask('hi');
    await until(bodies).toEqual([
      { messages: [{ role: 'user', content: 'hi' }], baseModel: BASE_MODEL, stream: true },
    ]);
    await page.getByLabel('Final adapter of a job').check();
    const options = page.getByLabel('Completed job').locator('option');
    await until(() => options.count()).toBe(60);
    const completed = jobs.filter(({ status }) => status === 'completed').map(({ id }) => id);
    expect(await attributesOf(options, 'value')).toEqual(completed);
    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByLabel('Completed job').selectOption(completed[7]!);
    await ask('and you?');
    await until(() => bodies().length).toBe(2);
    expect(bodies()[1]).toEqual({
      messages: [{ role: 'user', content: 'and you?' }],
      adapter: { kind: 'final', jobId: completed[7] },
      stream: true,
    });
  });

  it('Choosing the other mode moves nothing.', async () => {
    const { page } = await openChat();
    const places = async () => {
      const boxes = await Promise.all((await page.getByRole('radio').all()).map(boxOf));
      return [...boxes, await boxOf(page.getByRole('region', { name: 'Conversation' }))];
    };
    await until(() => page.locator('fieldset code').textContent()).toBe(BASE_MODEL);
    const before = await places();
    await page.getByLabel('Final adapter of a job').check();
    await page.getByLabel('Completed job').waitFor();
    expect(await places()).toEqual(before);
  });

  it('Intermediate checkpoints cannot be picked in the UI. `temperature`, `topP`, `maxTokens` cannot be set in the UI.', async () => {
    const { page } = await openChat();
    await page.getByLabel('Final adapter of a job').check();
    await page.getByLabel('Completed job').waitFor();
    const controls = page.locator('main').locator('input, select, textarea');
    expect(await kindsOf(controls)).toEqual(['radio', 'radio', 'select', 'textarea']);
  });

  it('Answers stream, and each says which model gave it.', async () => {
    const { page, world, conversation, ask } = await openChat();
    const reply = heldReply(world);
    await ask('hi');
    await conversation.getByText('First part').waitFor();
    expect(await conversation.textContent()).toContain(`Base model: ${BASE_MODEL} · answering…`);
    reply.release();
    await conversation.getByText('First part, second part.').waitFor();
    await page.getByLabel('Final adapter of a job').check();
    await ask('again');
    await conversation.getByText('Final adapter (job 1a2b3c4d)').waitFor();
    reply.release();
  });

  it('Stop keeps what has come, and ends the answer.', async () => {
    const { page, world, conversation, message, ask } = await openChat();
    const reply = heldReply(world);
    await ask('hi');
    await conversation.getByText('First part').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await conversation.getByText('stopped').waitFor();
    expect(await conversation.textContent()).toContain('First part');
    expect(await isFocused(message)).toBe(true);
    reply.release();
    await until(() => page.getByRole('button', { name: 'Send' }).count()).toBe(1);
    expect(await conversation.textContent()).not.toContain('second part');
  });

  it('Enter sends, Shift+Enter breaks the line, and nothing is sent while an answer comes.', async () => {
    const { world, bodies, message, send, conversation } = await openChat();
    const reply = heldReply(world);
    await message.press('Enter');
    await message.pressSequentially('one');
    await message.press('Shift+Enter');
    await message.pressSequentially('two');
    await send();
    await until(bodies).toMatchObject([{ messages: [{ role: 'user', content: 'one\ntwo' }] }]);
    await until(() => message.inputValue()).toBe('');
    await message.fill('too early');
    await message.press('Enter');
    expect(await message.inputValue()).toBe('too early');
    reply.release();
    await conversation.getByText('second part').waitFor();
    await send();
    await until(() => bodies().length).toBe(2);
    reply.release();
  });

  it('The history stays in the page, is sent along, and is gone after a reload.', async () => {
    const { page, bodies, conversation, ask } = await openChat();
    await ask('one');
    await conversation.getByText('You said: one').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.getByRole('link', { name: 'Playground' }).click();
    await conversation.getByText('You said: one').waitFor();
    await ask('two');
    await conversation.getByText('You said: two').waitFor();
    expect(bodies()[1]).toMatchObject({
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'You said: one' },
        { role: 'user', content: 'two' },
      ],
    });
    await page.reload();
    await conversation.getByText('No messages yet').waitFor();
  });

  it('A refusal and an answer that breaks off are shown with the exchange.', async () => {
    const { world, conversation, ask } = await openChat(opened => {
      opened.failures.chat = refusal(400, 'state_missing', 'Write orgSlug, projectSlug and projectId.');
    });
    await ask('one');
    await conversation.getByText('Write orgSlug, projectSlug and projectId.').waitFor();
    delete world.failures.chat;
    world.reply = async function* () {
      yield 'half an ';
      throw refusal(503, 'engine_unavailable', 'The engine is starting again.');
    };
    await ask('two');
    await conversation.getByText('The engine is starting again.').waitFor();
    expect(await conversation.textContent()).toContain('half an');
  });

  it('Without a completed job there is nothing to choose, and nothing can be sent, until one has completed.', async () => {
    const { page, world, message } = await openChat(world => {
      world.jobs = [sampleJob({ id: JOB_ID, status: 'running' })];
    });
    await page.getByLabel('Final adapter of a job').check();
    await page.getByText('No completed jobs yet').waitFor();
    await message.fill('hi');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    world.jobs = [sampleJob({ id: JOB_ID, status: 'completed' })];
    await page.getByLabel('Base model').check();
    await page.getByLabel('Final adapter of a job').check();
    await until(() => page.getByLabel('Completed job').inputValue()).toBe(JOB_ID);
    expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  });

  it('A job that completes while the page is open can be picked.', async () => {
    const { page, world } = await openStudio('#/playground', { prepare: stopClock });
    await page.getByRole('radio', { name: 'Final adapter of a job' }).check();
    await page.getByText('No completed jobs yet').waitFor();
    world.jobs = [sampleJob({ status: 'completed' })];
    await page.clock.runFor(5000);
    await until(() => page.getByLabel('Completed job').inputValue()).toBe(JOB_ID);
  });

  it('What was typed survives a reload, as after Studio was restarted, until it is sent.', async () => {
    const { page, studio, message, send } = await openChat();
    await message.fill('half a thou');
    studio.renewToken();
    await page.getByRole('radio', { name: 'Final adapter of a job' }).click();
    await page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await until(() => message.inputValue()).toBe('half a thou');
    await send();
    await until(() => message.inputValue()).toBe('');
    await page.reload();
    await page.getByText('Choose a model').waitFor();
    expect(await message.inputValue()).toBe('');
  });

  it('What models and people write is text, never markup.', async () => {
    const { page, conversation, ask } = await openChat();
    await ask('<img src=x onerror=alert(1)>');
    await conversation.getByText('You said: <img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });
});
