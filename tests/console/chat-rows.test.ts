import { describe, expect, it } from 'vitest';
import { type ChatAction, chatRows, countChatRows, emptyChat, reduceChat } from '../../lib/console/index.js';

const asked = (question: string): ChatAction => ({ type: 'asked', question, model: 'tiny' });
const turns = (...actions: ChatAction[]) => actions.reduce(reduceChat, emptyChat).turns;

describe('the rows of a conversation', () => {
  it('have one answer each to learn, with what was said before', () => {
    const said = turns(
      asked('Hi'),
      { type: 'text', text: 'Hello.' },
      { type: 'done' },
      asked('Who are you?'),
      { type: 'text', text: 'A model.' },
      { type: 'done' },
    );
    expect(chatRows(said).split('\n')).toEqual([
      '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello."}]}',
      '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello.","weight":0},{"role":"user","content":"Who are you?"},{"role":"assistant","content":"A model."}]}',
      '',
    ]);
    expect(countChatRows(said)).toBe(2);
  });

  it('leave out answers that were stopped, failed, are empty or still come', () => {
    const said = turns(
      asked('a'),
      { type: 'text', text: 'half' },
      { type: 'stopped' },
      asked('b'),
      { type: 'failed', error: 'no' },
      asked('c'),
      { type: 'done' },
      asked('d'),
      { type: 'text', text: 'more' },
    );
    expect([chatRows(said), countChatRows(said)]).toEqual(['', 0]);
    const last = turns(
      ...([asked('a'), { type: 'text', text: 'half' }, { type: 'stopped' }] as ChatAction[]),
      asked('b'),
      { type: 'text', text: 'B' },
      { type: 'done' },
    );
    expect(JSON.parse(chatRows(last)).messages).toHaveLength(4);
  });
});
