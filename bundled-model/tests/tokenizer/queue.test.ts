import { expect, it } from 'vitest';
import { createRandom } from '../../../tests/support/random.js';
import { createQueue } from '../../tokenizer/queue.js';

it('returns entries in order, whenever they were pushed', () => {
  const random = createRandom(1);
  const queue = createQueue<number>((a, b) => a < b);
  let held: number[] = [];
  for (let round = 0; round < 500; round++) {
    for (let more = Math.floor(random.next() * 4); more > 0; more--) {
      const item = Math.floor(random.next() * 50);
      queue.push(item);
      held = [...held, item].sort((a, b) => a - b);
    }
    expect(queue.pop()).toBe(held.shift());
  }
});

it('returns undefined when it is empty', () => {
  expect(createQueue(() => false).pop()).toBeUndefined();
});
