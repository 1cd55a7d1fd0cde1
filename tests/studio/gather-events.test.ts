import { describe, expect, it } from 'vitest';
import { type LoggedSteps, readBatch } from '../../lib/contract/index.js';
import { gatherEvents } from '../../lib/studio/handlers/gather-events.js';

const block = (id: number, data = '{}') => `id: ${id}\nevent: training.log\ndata: ${data}\n\n`;
const blocks = (count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => block(first + at, `{"step":${first + at}}`)).join('');
const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

describe('events that arrive together', () => {
  it('become one message with the number of the last', () => {
    const { bytes, rest } = gatherEvents(`${block(1, '{"step": 1.0}')}${blocks(30, 2)}id: 32\nev`);
    expect(rest).toBe('id: 32\nev');
    const [, id, data] = /^id: (\d+)\nevent: batch\ndata: (.*)\n\n$/s.exec(text(bytes)!)!;
    expect(id).toBe('31');
    const [first, others] = readBatch(data!);
    expect(first).toEqual({ id: '1', event: 'training.log', data: '{"step": 1.0}' });
    expect((others as LoggedSteps).length).toBe(30);
    expect((others as LoggedSteps).data(29)).toBe('{"step":31}');
  });

  it.each([
    ['one alone', block(7)],
    ['only a few', blocks(5)],
    ['a comment among them', `${blocks(30)}: ping\n\n${block(31)}`],
    ['the time to wait', 'retry: 3000\n\n'],
    ['something behind them that is none', `${blocks(30)}data: unnamed\n\n`],
    ['data of several lines', `${blocks(30)}id: 31\nevent: training.log\ndata: {\ndata: }\n\n`],
  ])('pass as they came where there is %s', (_, given) => {
    const { bytes, rest } = gatherEvents(given);
    expect([text(bytes), rest]).toEqual([given, '']);
  });

  it('wait until one is whole', () => {
    expect(gatherEvents('id: 1\nevent: tr')).toEqual({ bytes: null, rest: 'id: 1\nevent: tr' });
  });
});
