import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPromptWriter, type PromptWriter } from '../../../lib/engine/tasks/prompt-writer.js';
import { writePrompt } from '../../../lib/engine/tasks/write-prompt.js';
import { openText } from '../../../lib/engine/text/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';

const CONTEXT = 512;

let modelFolder: string;
let rendered: number;
let writer: PromptWriter;
beforeEach(async () => {
  modelFolder = await makeModelFolder();
  const text = await openText(modelFolder);
  rendered = 0;
  const counting: typeof text = {
    ...text,
    renderChat: (...parameters) => {
      rendered++;
      return text.renderChat(...parameters);
    },
  };
  writer = createPromptWriter({ modelFolder, text: counting, context: CONTEXT });
});
afterEach(async () => {
  await writer.close();
  await rm(modelFolder, { recursive: true, force: true });
});

const saying = (content: string, times = 1) => ({
  messages: Array.from({ length: times }, () => ({ role: 'user', content })),
});
const asked = { caller: 'a', signal: new AbortController().signal };

describe('the text of tokens', () => {
  it('is that of all of them, however many', async () => {
    const text = await openText(modelFolder);
    const ids = text.encode('Grüße 👋 '.repeat(1000));
    expect(ids.length).toBeGreaterThan(4000);
    expect(await writer.decode(ids, asked)).toBe('Grüße 👋 '.repeat(1000));
  });

  it('is written in pieces, so that the chat of another caller goes ahead', async () => {
    const outcomes: string[] = [];
    const ids = (await openText(modelFolder)).encode('a '.repeat(40_000));
    const texts = Array.from({ length: 8 }, () =>
      writer.decode(ids, asked).then(() => outcomes.push('text')),
    );
    await writer.write(saying('hello'), { ...asked, caller: 'b' }).then(() => outcomes.push('chat'));
    expect(outcomes).toEqual(['chat']);
    await Promise.all(texts);
  });

  it('is left when its caller leaves', async () => {
    const leaving = new AbortController();
    const reason = new Error('left');
    const written = writer.decode([1], { caller: 'a', signal: leaving.signal });
    leaving.abort(reason);
    await expect(written).rejects.toBe(reason);
  });
});

describe('the prompt of a chat', () => {
  it('is not written if its caller leaves before its turn', async () => {
    const leaving = new AbortController();
    const reason = new Error('left');
    const written = Array.from({ length: 5 }, () =>
      writer.write(saying('hello'), { caller: 'a', signal: leaving.signal }),
    );
    leaving.abort(reason);
    for (const prompt of written) await expect(prompt).rejects.toBe(reason);
    await writer.write(saying('hello'), asked);
    expect(rendered).toBe(1);
  });

  it('is abandoned at once if its caller leaves while it waits for the thread', async () => {
    const outcomes: string[] = [];
    const leaving = new AbortController();
    const first = writer.write(saying('hello', 60), asked).then(() => outcomes.push('written'));
    const second = writer
      .write(saying('hello', 60), { caller: 'a', signal: leaving.signal })
      .catch(() => outcomes.push('left'));
    const third = writer.write(saying('hello', 60), asked).then(() => outcomes.push('written too'));
    leaving.abort(new Error('left'));
    await Promise.all([first, second, third]);
    expect(outcomes).toEqual(['left', 'written', 'written too']);
  });

  it.each([
    ['messages', saying('', CONTEXT + 1)],
    ['text', saying('a '.repeat(500_000))],
  ])('is rejected without being written if it has too much %s', async (_, conversation) => {
    const expected = expect.objectContaining({ code: 'context_length_exceeded' });
    await expect(writer.write(conversation, asked)).rejects.toEqual(expected);
    expect(rendered).toBe(0);
  });

  it('is the same whether written here or, if it is long, in a thread', async () => {
    const few = await writer.write(saying('hello', 30), asked);
    expect(rendered).toBe(1);
    const many = await writer.write(saying('hello', 60), asked);
    expect(rendered).toBe(1);
    expect(many.slice(0, few.length - 10)).toEqual(few.slice(0, -10));
    expect(many.length).toBeGreaterThan(1.9 * few.length - 20);
  });

  it('is refused by its template in the same way here and in a thread', async () => {
    const broken = { messages: [{ role: '', content: 'x' }] };
    const faults = [broken, { messages: [...saying('hello', 60).messages, ...broken.messages] }].map(
      conversation => writer.write(conversation, asked).catch(error => error),
    );
    const names = (await Promise.all(faults)).map(({ name, message }) => [name, message.slice(-12)]);
    expect(names).toEqual([
      ['TextError', 'has no role.'],
      ['TextError', 'has no role.'],
    ]);
  });

  it('goes ahead of long texts that another caller tokenizes', async () => {
    const outcomes: string[] = [];
    const texts = Array.from({ length: 8 }, async () => {
      await writer.write({ text: ' '.repeat(400_000), anyLength: true }, asked);
      outcomes.push('text');
    });
    const other = { ...asked, caller: 'b' };
    await writer.write(saying('hello', 60), other).then(() => outcomes.push('chat'));
    expect(outcomes).toEqual(['chat']);
    await Promise.all(texts);
  });

  it('is refused when it turns out to be too long, before the rest of it is tokenized', async () => {
    const text = await openText(modelFolder);
    let pieces = 0;
    const counting: typeof text = {
      ...text,
      minTokenCount: () => 1,
      *encodeInPieces(...parameters) {
        for (const atLeast of text.encodeInPieces(...parameters)) {
          pieces++;
          yield atLeast;
        }
        return [];
      },
    };
    const writing = writePrompt(counting, { text: 'a '.repeat(400_000) }, CONTEXT);
    const { value } = writing.next();
    expect(value).toEqual({ atLeast: expect.any(Number) });
    expect(pieces).toBe(1);
  });
});
