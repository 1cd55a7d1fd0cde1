import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createPromptWriter,
  createWorkLine,
  type PromptWriter,
} from '../../../lib/engine/tasks/prompt-writer.js';
import { writePrompt } from '../../../lib/engine/tasks/serve-prompts.js';
import { openText } from '../../../lib/engine/text/index.js';
import { tinyModel } from '../tiny-model.js';

const CONTEXT = 512;
const modelFolder = await tinyModel();
const text = await openText(modelFolder);

let rendered: number;
let writer: PromptWriter;
beforeEach(() => {
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
afterEach(() => writer.close());

const saying = (content: string, times = 1) => ({
  messages: Array.from({ length: times }, () => ({ role: 'user', content })),
});
const asked = { caller: 'a', signal: new AbortController().signal };
const other = { ...asked, caller: 'b' };

/** A caller who leaves. */
function leavingCaller() {
  const leaving = new AbortController();
  const reason = new Error('left');
  return { asked: { caller: 'a', signal: leaving.signal }, reason, leave: () => leaving.abort(reason) };
}

describe('the text of tokens', () => {
  it('is that of all of them, however many, and is left when its caller leaves', async () => {
    const ids = text.encode('Grüße 👋 '.repeat(1000));
    expect(ids.length).toBeGreaterThan(4000);
    expect(await writer.decode(ids, asked)).toBe('Grüße 👋 '.repeat(1000));
    const { asked: gone, reason, leave } = leavingCaller();
    const written = writer.decode(ids, gone);
    leave();
    await expect(written).rejects.toBe(reason);
  });
});

describe('the prompt of a chat', () => {
  it('is not written if its caller leaves before its turn', async () => {
    const { asked: gone, reason, leave } = leavingCaller();
    const written = Array.from({ length: 5 }, () => writer.write(saying('hello'), gone));
    leave();
    for (const prompt of written) await expect(prompt).rejects.toBe(reason);
    await writer.write(saying('hello'), asked);
    expect(rendered).toBe(1);
  });

  it('is abandoned at once if its caller leaves while it waits for the thread', async () => {
    const outcomes: string[] = [];
    const { asked: gone, leave } = leavingCaller();
    const note = (what: string) => () => outcomes.push(what);
    const write = (as: typeof asked) => writer.write(saying('hello', 60), as);
    const all = [
      write(asked).then(note('written')),
      write(gone).catch(note('left')),
      write(asked).then(note('last')),
    ];
    leave();
    await Promise.all(all);
    expect(outcomes).toEqual(['left', 'written', 'last']);
  });

  it.each([
    ['messages', saying('', CONTEXT + 1)],
    ['text', saying('a '.repeat(500_000))],
  ])('is rejected without being written if it has too much %s', async (_, conversation) => {
    const code = 'context_length_exceeded';
    await expect(writer.write(conversation, asked)).rejects.toMatchObject({ code });
    expect(rendered).toBe(0);
  });

  it('is the same whether written here or, if it is long, in a thread', async () => {
    const few = await writer.write(saying('hello', 30), asked);
    const many = await writer.write(saying('hello', 60), asked);
    expect(rendered).toBe(1);
    expect(many.slice(0, few.length - 10)).toEqual(few.slice(0, -10));
    expect(many.length).toBeGreaterThan(1.9 * few.length - 20);
  });

  it('is refused by its template in the same way here and in a thread', async () => {
    const broken = { role: '', content: 'x' };
    for (const messages of [[broken], [...saying('hello', 60).messages, broken]]) {
      const { name, message } = await writer.write({ messages }, asked).catch(error => error);
      expect([name, message.slice(-12)]).toEqual(['TextError', 'has no role.']);
    }
  });

  const tokens = text.encode('a '.repeat(40_000));

  it.each([
    ['tokenizes', 60, () => writer.write({ text: ' '.repeat(400_000), anyLength: true }, asked)],
    ['wants back from tokens', 1, () => writer.decode(tokens, asked)],
  ])('goes ahead of long texts that another caller %s', async (_, times, start) => {
    const outcomes: string[] = [];
    const texts = Array.from({ length: 8 }, async () => {
      await start();
      outcomes.push('text');
    });
    await writer.write(saying('hello', times), other).then(() => outcomes.push('chat'));
    expect(outcomes).toEqual(['chat']);
    await Promise.all(texts);
  });

  it('is refused when it turns out to be too long, before the rest of it is tokenized', async () => {
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
    const { value } = writePrompt(counting, { text: 'a '.repeat(400_000) }, CONTEXT).next();
    expect([value, pieces]).toEqual([{ atLeast: expect.any(Number) }, 1]);
  });
});

/** A line, and what has been done in it. */
function openLine() {
  const line = createWorkLine();
  const done: string[] = [];
  function* pieces(name: string, count: number): Generator<void, string> {
    for (let i = 0; i < count; i++) {
      done.push(name);
      yield;
    }
    return name;
  }
  const { signal } = new AbortController();
  const place = { kind: 'prompt', caller: 'a', signal };
  /** Adds work of so many pieces. */
  const add = (name: string, count: number, where: Partial<typeof place> = {}) =>
    line.add(pieces(name, count), { ...place, ...where });
  return { line, done, add, place };
}

describe('work in a line', () => {
  it('of a caller with much of it lets another caller wait for one piece', async () => {
    const { done, add } = openLine();
    const busy = Array.from({ length: 8 }, (_, i) => add(`busy ${i}`, 100));
    expect(await add('other', 1, { caller: 'other' })).toBe('other');
    expect(done.length).toBeLessThan(5);
    await Promise.all(busy);
    expect(done.filter(name => name === 'busy 7')).toHaveLength(100);
  });

  it('takes turns between its kinds, however many callers have work of one kind', async () => {
    const { done, add } = openLine();
    const texts = Array.from({ length: 20 }, (_, i) => add('text', 10, { kind: 'text', caller: `${i}` }));
    await add('prompt', 3);
    expect(done.length).toBeLessThan(10);
    await Promise.all(texts);
  });

  it('of one caller is done in order', async () => {
    const { done, add } = openLine();
    await Promise.all([add('1', 2), add('2', 2)]);
    expect(done).toEqual(['1', '1', '2', '2']);
  });

  it('is left where it is when nobody waits for it anymore', async () => {
    const { line, done, add, place } = openLine();
    const leaving = new AbortController();
    const reason = new Error('left');
    const left = add('left', 100, { signal: leaving.signal });
    async function* leave(): AsyncGenerator<void, void> {
      leaving.abort(reason);
      yield;
    }
    const [outcome] = await Promise.allSettled([left, line.add(leave(), { ...place, caller: 'b' })]);
    expect(outcome).toEqual({ status: 'rejected', reason });
    expect(done.length).toBeLessThan(5);
  });

  it('that fails does not hold up the rest', async () => {
    const { line, add, place } = openLine();
    const reason = new Error('broken');
    function* fail() {
      yield;
      throw reason;
    }
    expect(await Promise.allSettled([line.add(fail(), place), add('next', 1)])).toEqual([
      { status: 'rejected', reason },
      { status: 'fulfilled', value: 'next' },
    ]);
  });
});
