// A conversation: what it keeps, what it asks, how it is drawn, and the rows that can be learned of it.
import { describe, expect, it } from 'vitest';
import {
  BASE_MODEL,
  type ChatAction,
  type ChatView,
  canRetry,
  chatPanes,
  chatRows,
  countChatRows,
  emptyChat,
  findChatModel,
  historyBeside,
  isAnswering,
  modeSpans,
  reduceChat,
  toInferenceRequest,
  turnRows,
  unicodeGlyphs,
  waitText,
} from '../../lib/console/index.js';
import type { Target } from '../../lib/contract/index.js';
import { JOB_ID, sampleJob } from '../support/samples.js';

const base: Target = { kind: 'base_model', baseModel: 'svc/tiny' };
const adapter: Target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
const ask = (question: string, model = 'base'): ChatAction => ({ type: 'asked', question, model });
const text = (part: string): ChatAction => ({ type: 'text', text: part });
const thought = (part: string): ChatAction => ({ type: 'thought', text: part });
const calm = { waitsFor: null, error: null };
const sampling = { temperature: 0.6, topK: 20 };
const done: ChatAction = { type: 'done' };
const stopped: ChatAction = { type: 'stopped' };
const failed = (error: string): ChatAction => ({ type: 'failed', error });

function chat(...actions: ChatAction[]): ChatView {
  return actions.reduce(reduceChat, emptyChat);
}

describe('the history of a chat', () => {
  it('gathers an answer as it comes, and says of each which model gave it', () => {
    const view = chat(ask('hi'), text('Hel'), text('lo'), done, ask('again', 'adapter'));
    expect(view.turns).toEqual([
      { key: 1, question: 'hi', thought: '', reply: 'Hello', model: 'base', state: 'done', ...calm },
      {
        key: 2,
        question: 'again',
        thought: '',
        reply: '',
        model: 'adapter',
        state: 'streaming',
        ...calm,
      },
    ]);
  });

  it('keeps thoughts apart from answers, and sends them along: the template decides who sees them', () => {
    const view = chat(ask('hi'), thought('Let me '), thought('see.'), text('Hello'), done, ask('again'));
    expect(view.turns[0]).toMatchObject({ thought: 'Let me see.', reply: 'Hello' });
    const answer = { role: 'assistant', content: 'Hello', reasoning_content: 'Let me see.' };
    expect(toInferenceRequest(view, base, sampling).messages[1]).toEqual(answer);
    const [row] = chatRows(view.turns).split('\n');
    expect(JSON.parse(row!).messages[1]).toEqual(answer);
    expect(chat(ask('hi'), thought('Hm'), stopped, { type: 'retried', model: 'b' }).turns[0]!.thought).toBe(
      '',
    );
  });

  it('is being answered until the end, a stop or a failure, which keep what had come', () => {
    const ends = [done, stopped, failed('gone')].map(end => chat(ask('hi'), text('Hel'), end));
    const states = [emptyChat, chat(ask('hi'), text('Hel')), ...ends].map(isAnswering);
    expect(states).toEqual([false, true, false, false, false]);
    expect(ends[1]!.turns[0]).toMatchObject({ reply: 'Hel', state: 'stopped' });
    expect(ends[2]!.turns[0]).toMatchObject({ reply: 'Hel', state: 'failed', error: 'gone' });
  });

  it('takes nothing that comes after the end, or before a question', () => {
    const ended = chat(ask('hi'), stopped);
    for (const late of [text('late'), done]) expect(reduceChat(ended, late)).toBe(ended);
    expect(reduceChat(emptyChat, text('early'))).toBe(emptyChat);
  });

  it('asks the last question once more, of the same or another model', () => {
    const answered = chat(ask('hi'), text('Hello'), done);
    expect([emptyChat, chat(ask('hi')), answered].map(canRetry)).toEqual([false, false, true]);
    const again = reduceChat(answered, { type: 'retried', model: 'other' });
    const [first] = answered.turns;
    const retried = { key: first!.key + 1, model: 'other', reply: '', state: 'streaming', error: null };
    expect(again.turns).toEqual([{ ...first, ...retried }]);
    expect(reduceChat(again, { type: 'retried', model: 'other' })).toBe(again);
  });

  it('begins beside another with the history of that, and keeps its own where it was asked the same', () => {
    const first = chat(ask('hi'), text('Hello'), done);
    const own = chat(ask('hi'), text('Good day'), done);
    expect(historyBeside(emptyChat, first)).toEqual(first);
    expect(historyBeside(own, first)).toBe(own);
    expect(historyBeside(own, chat(ask('ho'), done))).toEqual(chat(ask('ho'), done));
  });

  it('begins beside an answer that still comes with its question alone, and keeps its own once that has come', () => {
    const coming = chat(ask('hi'), text('Hello'), done, ask('more'), thought('Hm'), text('Mo'));
    const beside = historyBeside(emptyChat, coming);
    expect(beside).toEqual(chat(ask('hi'), text('Hello'), done, ask('more'), stopped));
    const [first, second] = [coming, beside].map(view =>
      [done, ask('last'), text('Last'), done].reduce(reduceChat, view),
    );
    expect(historyBeside(second!, first!)).toBe(second);
  });
});

it('says what an answer waits for, until it begins', () => {
  const waiting = chat(ask('hi'), { type: 'waits', waitsFor: 'Comparing weights.' });
  expect(waitText(waiting.turns[0]!)).toBe('Comparing weights.');
  for (const next of [text('Hello'), thought('Hm'), stopped, failed('gone')])
    expect(waitText(reduceChat(waiting, next).turns[0]!)).toBeNull();
  const rows = (view: ChatView) =>
    turnRows(view.turns[0]!, { width: 40, isThoughtOpen: false }, '_').map(row =>
      row.map(({ text }) => text).join(''),
    );
  expect(rows(waiting)).toContain('Comparing weights.');
  expect(rows(reduceChat(waiting, text('Hello')))).not.toContain('Comparing weights.');
});

describe('the request of a chat', () => {
  it.each([
    [base, { baseModel: 'svc/tiny' }],
    [adapter, { adapter: { kind: 'final', jobId: JOB_ID } }],
  ])('names the model %j, and asks for a stream with this sampling', (target, model) => {
    const messages = [{ role: 'user', content: 'hi' }];
    expect(toInferenceRequest(chat(ask('hi')), target, sampling)).toEqual({
      ...{ messages, ...model, ...sampling },
      stream: true,
    });
  });

  it('carries the history before the question, without what was not answered', () => {
    const answered = [ask('one'), text('1'), done, ask('two'), failed('x')];
    const view = chat(...answered, ask('three'), text('thr'), stopped, ask('four'));
    expect(toInferenceRequest(view, base, sampling).messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: '1' },
      { role: 'user', content: 'three' },
      { role: 'assistant', content: 'thr' },
      { role: 'user', content: 'four' },
    ]);
  });
});

describe('the rows of a conversation', () => {
  it('have one answer each to learn, with what was said before', () => {
    const said = chat(ask('Hi'), text('Hello.'), done, ask('Who?'), text('A model.'), done).turns;
    const [hi, who] = ['Hi', 'Who?'].map(content => ({ role: 'user', content }));
    const [hello, model] = ['Hello.', 'A model.'].map(content => ({ role: 'assistant', content }));
    const rows = [
      [hi, hello],
      [hi, { ...hello, weight: 0 }, who, model],
    ];
    expect(chatRows(said)).toBe(rows.map(messages => `${JSON.stringify({ messages })}\n`).join(''));
    expect(countChatRows(said)).toBe(2);
  });

  it('leave out answers that were stopped, failed, are empty or still come', () => {
    const half = [ask('a'), text('half'), stopped];
    const said = chat(...half, ask('b'), failed('no'), ask('c'), done, ask('d'), text('more')).turns;
    expect([chatRows(said), countChatRows(said)]).toEqual(['', 0]);
    const last = chatRows(chat(...half, ask('b'), text('B'), done).turns);
    expect(JSON.parse(last).messages).toHaveLength(4);
  });
});

describe('a turn of a conversation', () => {
  const rowsOf = (width: number, actions: ChatAction[], isThoughtOpen = false) => {
    const { turns } = chat(ask('Who are you?', 'svc/tiny'), ...actions);
    const rows = [false, true].map(isThoughtOpen => turnRows(turns[0]!, { width, isThoughtOpen }, '▍'));
    const [folded, open] = rows.map(all => all.map(row => row.map(span => span.text).join('')));
    return isThoughtOpen ? open! : folded!;
  };

  it.each<[string, ChatAction[], string[]]>([
    ['is answered', [text('A small ')], ['A small ▍']],
    ['was answered', [text('A\n\n  b'), done], ['A', ' ', '  b']],
    ['was stopped', [text('once'), stopped], ['once', 'Stopped.']],
    ['failed', [failed('Run `svc login`.')], ['Run svc login.']],
    ['had nothing to say', [done], ['The answer is empty.']],
  ])('says who said what, and that it %s', (_state, actions, said) =>
    expect(rowsOf(40, actions)).toEqual(['You', 'Who are you?', 'svc/tiny', ...said, ' ']),
  );

  it('is wrapped at each width', () => {
    const rows = ['You', 'Who are', 'you?', 'svc/tiny', 'one two', 'three', ' '];
    expect(rowsOf(8, [text('one two three'), done])).toEqual(rows);
  });

  it('says how long the model thinks, and shows what it thought when that is open', () => {
    const thinking = [thought('Let me see.')];
    const head = ['You', 'Who are you?', 'svc/tiny'];
    expect(rowsOf(40, thinking)).toEqual([...head, 'Thinking: 11 characters', '▍', ' ']);
    const answered = [...thinking, text('A model.'), done];
    const folded = [...head, 'Thought: 11 characters', 'A model.', ' '];
    expect(rowsOf(40, answered)).toEqual(folded);
    expect(rowsOf(40, answered, true)).toEqual([...folded.slice(0, 4), 'Let me see.', ...folded.slice(4)]);
  });
});

it.each([
  [true, 61, ' ● Base model: svc/tiny    ○ Adapter: triage (job 1a2b3c4d)'],
  [true, 45, ' ● Base model: svc/tiny    ○ Adapter'],
  [true, 30, ' ● Base model    ○ Adapter'],
  [false, 61, ' ○ Base model: svc/tiny    ● Adapter: triage (job 1a2b3c4d)'],
  [false, 45, ' ○ Base model    ● Adapter: triage (job 1a2b3c4d)'],
])('leaves out who does not answer first (base model: %s, %d columns)', (isBase, width, said) => {
  const names = { baseModel: 'svc/tiny', adapter: 'triage (job 1a2b3c4d)' };
  const spans = modeSpans({ isBase, ...names }, width, unicodeGlyphs);
  expect(spans.map(span => span.text).join('')).toBe(said);
  expect(spans.find(({ style }) => style?.bold)!.text).toContain('●');
});

it('conversations have all of the room, one beside or above the other', () => {
  const panesAt = (width: number, isTwo: boolean) => {
    const { isRow, first, second } = chatPanes({ width, height: 21 }, isTwo);
    const sizes = (isTwo ? [first, second] : [first]).map(pane => `${pane.width}x${pane.height}`);
    return `${isRow ? 'row' : 'column'} ${sizes.join(' ')}`;
  };
  const two = [100, 101, 80].map(width => panesAt(width, true));
  expect(two).toEqual(['row 50x21 50x21', 'row 50x21 51x21', 'column 80x11 80x10']);
  expect([120, 80].map(width => panesAt(width, false))).toEqual(['row 120x21', 'column 80x21']);
});

it('knows the base model and the final adapters of jobs', () => {
  const find = (id: string | null, baseModel: string | null = 'svc/tiny') =>
    findChatModel(id, [sampleJob()], baseModel === null ? null : { baseModel });
  expect(find(BASE_MODEL)).toEqual({ target: base, name: 'svc/tiny' });
  expect(find(JOB_ID)).toEqual({ target: adapter, name: 'triage (job 1a2b3c4d)' });
  expect([find(BASE_MODEL, null), find('gone'), find(null)]).toEqual([null, null, null]);
});
