import { describe, expect, it } from 'vitest';
import {
  type ChatAction,
  type ChatView,
  canRetry,
  emptyChat,
  historyBeside,
  isAnswering,
  reduceChat,
  toInferenceRequest,
} from '../../lib/console/index.js';
import type { Target } from '../../lib/contract/index.js';
import { JOB_ID } from '../support/samples.js';

const base: Target = { kind: 'base_model', baseModel: 'svc/tiny' };
const adapter: Target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
const ask = (question: string, model = 'base'): ChatAction => ({ type: 'asked', question, model });
const text = (part: string): ChatAction => ({ type: 'text', text: part });

function chat(...actions: ChatAction[]): ChatView {
  return actions.reduce(reduceChat, emptyChat);
}

describe('the history of a chat', () => {
  it('gathers an answer as it comes, and says of each which model gave it', () => {
    const view = chat(ask('hi'), text('Hel'), text('lo'), { type: 'done' }, ask('again', 'adapter'));
    expect(view.turns).toEqual([
      { key: 1, question: 'hi', reply: 'Hello', model: 'base', state: 'done', error: null },
      { key: 2, question: 'again', reply: '', model: 'adapter', state: 'streaming', error: null },
    ]);
  });

  it('is being answered from the question until the end, a stop or a failure', () => {
    expect(isAnswering(emptyChat)).toBe(false);
    expect(isAnswering(chat(ask('hi'), text('H')))).toBe(true);
    for (const end of [{ type: 'done' }, { type: 'stopped' }, { type: 'failed', error: 'x' }] as const)
      expect(isAnswering(chat(ask('hi'), end))).toBe(false);
  });

  it('keeps what had come when it is stopped or fails, and the reason', () => {
    expect(chat(ask('hi'), text('Hel'), { type: 'stopped' }).turns[0]).toMatchObject({
      reply: 'Hel',
      state: 'stopped',
    });
    expect(chat(ask('hi'), text('Hel'), { type: 'failed', error: 'gone' }).turns[0]).toMatchObject({
      reply: 'Hel',
      state: 'failed',
      error: 'gone',
    });
  });

  it('takes nothing that comes after the end', () => {
    const stopped = chat(ask('hi'), { type: 'stopped' });
    expect(reduceChat(stopped, text('late'))).toBe(stopped);
    expect(reduceChat(stopped, { type: 'done' })).toBe(stopped);
    expect(reduceChat(emptyChat, text('early'))).toBe(emptyChat);
  });
});

describe('the request of a chat', () => {
  it('names the base model or the final adapter, and asks for a stream and nothing else', () => {
    const messages = [{ role: 'user', content: 'hi' }];
    expect(toInferenceRequest(chat(ask('hi')), base)).toEqual({
      messages,
      baseModel: 'svc/tiny',
      stream: true,
    });
    expect(toInferenceRequest(chat(ask('hi')), adapter)).toEqual({
      messages,
      adapter: { kind: 'final', jobId: JOB_ID },
      stream: true,
    });
  });

  it('carries the history before the question, without what was not answered', () => {
    const view = chat(
      ...[ask('one'), text('1'), { type: 'done' } as const],
      ...[ask('two'), { type: 'failed', error: 'x' } as const],
      ...[ask('three'), text('thr'), { type: 'stopped' } as const],
      ask('four'),
    );
    expect(toInferenceRequest(view, base).messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: 'thr' },
      { role: 'user', content: 'four' },
    ]);
  });

  it('asks the last question once more, of the same or another model', () => {
    const done = chat(ask('hi'), text('Hello'), { type: 'done' });
    expect([canRetry(emptyChat), canRetry(chat(ask('hi'))), canRetry(done)]).toEqual([false, false, true]);
    const again = reduceChat(done, { type: 'retried', model: 'other' });
    const [first] = done.turns;
    expect(again.turns).toEqual([
      { ...first, key: first!.key + 1, model: 'other', reply: '', state: 'streaming', error: null },
    ]);
    expect(reduceChat(again, { type: 'retried', model: 'other' })).toBe(again);
  });

  it('begins beside another with the history of that, and keeps its own where it was asked the same', () => {
    const first = chat(ask('hi'), text('Hello'), { type: 'done' });
    const busy = reduceChat(first, ask('more'));
    const own = chat(ask('hi'), text('Good day'), { type: 'done' });
    expect(historyBeside(emptyChat, first)).toEqual(first);
    expect(historyBeside(emptyChat, busy)).toEqual(first);
    expect(historyBeside(own, first)).toBe(own);
    expect(historyBeside(own, chat(ask('ho')))).toEqual(emptyChat);
  });
});
