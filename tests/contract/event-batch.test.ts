import { expect, it } from 'vitest';
import { batchMessages, EVENT_BATCH, readBatch } from '../../lib/contract/index.js';
import { encodeEvents } from '../../lib/http/index.js';

it('many events in one message come back to the letter, and it has the number of the last', () => {
  const events = [
    { id: '1', event: 'training.started', data: '{"zebra": "a\\tb\\u001e$1", "n": 2.50}' },
    { id: '2', event: 'training.log', data: '{}' },
  ];
  const message = batchMessages(new TextDecoder().decode(encodeEvents(events)))!;
  const [id, event, data, ...rest] = message.split('\n');
  expect([id, event, rest]).toEqual(['id: 2', `event: ${EVENT_BATCH}`, ['', '']]);
  expect(readBatch(data!.slice('data: '.length))).toEqual(events);
});

it('what is no batch has no events', () => {
  expect(readBatch('')).toEqual([]);
  expect(readBatch('one\ttwo')).toEqual([]);
});
