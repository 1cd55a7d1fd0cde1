import { expect, it } from 'vitest';
import { readBatch, writeBatch } from '../../lib/contract/index.js';

it('many events in one message come back to the letter', () => {
  const events = [
    { id: '1', event: 'training.started', data: '{"zebra": "a\\tb\\u001e", "n": 2.50}' },
    { id: '2', event: 'training.log', data: '{}' },
  ];
  expect(readBatch(writeBatch(events))).toEqual(events);
});

it('what is no batch has no events', () => {
  expect(readBatch('')).toEqual([]);
  expect(readBatch('one\ttwo')).toEqual([]);
});
