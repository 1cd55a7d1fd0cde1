// State that outlives the views which show it, and when they hear of its changes.
import { expect, it } from 'vitest';
import { createStore, merged, replaced } from '../../cli/dashboard/state/store.js';
import { createVirtualClock } from '../support/virtual-clock.js';

it('tells of what comes in great numbers a few times a second, and at once of the rest', async () => {
  const clock = createVirtualClock();
  const store = createStore(replaced<number>, 0, clock);
  let told = 0;
  store.subscribe(() => told++);
  for (let count = 1; count < 100; count++) {
    store.dispatchLater(count);
    expect(store.state).toBe(count);
    await clock.pass(10);
  }
  const often = told;
  expect(often).toBe(2);
  store.dispatchLater(100);
  store.dispatch(101);
  expect(told).toBe(often + 1);
  store.dispatch(101);
  await clock.pass(1000);
  expect([told, clock.waiting]).toEqual([often + 1, 0]);
});

it('tells sooner of what is waited for, even if the rest was to wait', async () => {
  const clock = createVirtualClock();
  const store = createStore(replaced<number>, 0, clock);
  let told = 0;
  store.subscribe(() => told++);
  store.dispatch(1);
  store.dispatchLater(2);
  store.dispatchLater(3, 100);
  await clock.pass(99);
  expect(told).toBe(1);
  await clock.pass(1);
  expect([told, clock.waiting]).toEqual([2, 0]);
  store.dispatchLater(4);
  store.flush();
  store.flush();
  expect([told, clock.waiting]).toEqual([3, 0]);
});

it('is the same state where no part differs', () => {
  const state = { one: 1, list: [] };
  expect(merged(state, { one: 1, list: state.list })).toBe(state);
  expect(merged(state, { one: 2 })).toEqual({ one: 2, list: [] });
});
