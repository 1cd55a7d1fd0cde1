import { describe, expect, it } from 'vitest';
import { readBatch } from '../../lib/contract/index.js';
import { gatherEvents } from '../../lib/studio/handlers/gather-events.js';

const block = (id: number, data = '{}') => `id: ${id}\nevent: training.log\ndata: ${data}\n\n`;
const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

describe('events that arrive together', () => {
  it('become one message with the number of the last', () => {
    const { bytes, rest } = gatherEvents(`${block(1, '{"step": 1.0}')}${block(2)}id: 3\nev`);
    expect(rest).toBe('id: 3\nev');
    const [, id, data] = /^id: (\d+)\nevent: batch\ndata: (.*)\n\n$/s.exec(text(bytes)!)!;
    expect(id).toBe('2');
    expect(readBatch(data!)).toEqual([
      { id: '1', event: 'training.log', data: '{"step": 1.0}' },
      { id: '2', event: 'training.log', data: '{}' },
    ]);
  });

  it.each([
    ['one alone', block(7)],
    ['a comment among them', `${block(1)}: ping\n\n${block(2)}`],
    ['the time to wait', 'retry: 3000\n\n'],
    ['data of several lines', `${block(1)}id: 2\nevent: training.log\ndata: {\ndata: }\n\n`],
  ])('pass as they came where there is %s', (_, given) => {
    const { bytes, rest } = gatherEvents(given);
    expect([text(bytes), rest]).toEqual([given, '']);
  });

  it('wait until one is whole', () => {
    expect(gatherEvents('id: 1\nevent: tr')).toEqual({ bytes: null, rest: 'id: 1\nevent: tr' });
  });
});
