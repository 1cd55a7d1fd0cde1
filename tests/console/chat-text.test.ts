import { describe, expect, it } from 'vitest';
import {
  BASE_MODEL,
  type ChatAction,
  chatPanes,
  emptyChat,
  findChatModel,
  modeSpans,
  reduceChat,
  turnRows,
  unicodeGlyphs,
} from '../../lib/console/index.js';
import { JOB_ID, sampleJob } from '../support/samples.js';

const rowsOf = (width: number, ...actions: ChatAction[]) => {
  const asked: ChatAction = { type: 'asked', question: 'Who are you?', model: 'svc/tiny' };
  const { turns } = [asked, ...actions].reduce(reduceChat, emptyChat);
  return turnRows(turns[0]!, width, '▍').map(row => row.map(({ text }) => text).join(''));
};
const text = (text: string): ChatAction => ({ type: 'text', text });

describe('a turn of a conversation', () => {
  it.each<[string, ChatAction[], string[]]>([
    ['is answered', [text('A small ')], ['A small ▍']],
    ['was answered', [text('A\n\n  b'), { type: 'done' }], ['A', ' ', '  b']],
    ['was stopped', [text('once'), { type: 'stopped' }], ['once', 'Stopped.']],
    ['failed', [{ type: 'failed', error: 'Run `svc login`.' }], ['Run svc login.']],
    ['had nothing to say', [{ type: 'done' }], ['The answer is empty.']],
  ])('says who said what, and that it %s', (_state, actions, said) => {
    expect(rowsOf(40, ...actions)).toEqual(['You', 'Who are you?', 'svc/tiny', ...said, ' ']);
  });

  it('is wrapped at each width', () => {
    expect(rowsOf(8, text('one two three'), { type: 'done' })).toEqual([
      'You',
      'Who are',
      'you?',
      'svc/tiny',
      'one two',
      'three',
      ' ',
    ]);
  });
});

it.each([
  [true, 61, ' ● Base model: svc/tiny    ○ Adapter: triage (job 1a2b3c4d)'],
  [true, 45, ' ● Base model: svc/tiny    ○ Adapter'],
  [true, 30, ' ● Base model    ○ Adapter'],
  [false, 61, ' ○ Base model: svc/tiny    ● Adapter: triage (job 1a2b3c4d)'],
  [false, 45, ' ○ Base model    ● Adapter: triage (job 1a2b3c4d)'],
])('leaves out who does not answer first (base model: %s, %d columns)', (isBase, width, said) => {
  const adapter = 'triage (job 1a2b3c4d)';
  const spans = modeSpans({ isBase, baseModel: 'svc/tiny', adapter }, width, unicodeGlyphs);
  expect(spans.map(({ text }) => text).join('')).toBe(said);
  expect(spans.filter(({ style }) => style?.bold).map(({ text }) => text)[0]).toContain('●');
});

it.each([
  [100, true, 'row', [50, 50], [21, 21]],
  [101, true, 'row', [50, 51], [21, 21]],
  [80, true, 'column', [80, 80], [11, 10]],
  [120, false, 'row', [120], [21]],
  [80, false, 'column', [80], [21]],
])(
  'gives conversations all of the room (%d columns, two: %s)',
  (width, isTwo, direction, widths, heights) => {
    const { isRow, first, second } = chatPanes({ width, height: 21 }, isTwo);
    const panes = isTwo ? [first, second] : [first];
    expect(isRow ? 'row' : 'column').toBe(direction);
    expect(panes.map(pane => pane.width)).toEqual(widths);
    expect(panes.map(pane => pane.height)).toEqual(heights);
  },
);

it('knows the base model and the final adapters of jobs', () => {
  const find = (id: string | null, baseModel: string | null = 'svc/tiny') =>
    findChatModel(id, [sampleJob()], baseModel === null ? null : { baseModel });
  expect(find(BASE_MODEL)).toEqual({
    target: { kind: 'base_model', baseModel: 'svc/tiny' },
    name: 'svc/tiny',
  });
  expect(find(JOB_ID)).toEqual({
    target: { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } },
    name: 'triage (job 1a2b3c4d)',
  });
  expect([find(BASE_MODEL, null), find('gone'), find(null)]).toEqual([null, null, null]);
});
