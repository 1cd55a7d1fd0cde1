// State that outlives the views which show it: when they hear of its changes, and what they know of what was asked for.
import { describe, expect, it } from 'vitest';
import { type Fetched, fetchInto } from '../../cli/dashboard/hooks/fetched.js';
import { createStore, merged, replaced } from '../../cli/dashboard/state/store.js';
import { NO_RESPONSE_MS } from '../../lib/console/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

describe('a store', () => {
  function counting() {
    const clock = createVirtualClock();
    const store = createStore(replaced<number>, 0, clock);
    let told = 0;
    store.subscribe(() => told++);
    return { clock, store, told: () => told };
  }

  it('tells of what comes in great numbers a few times a second, and at once of the rest', async () => {
    const { clock, store, told } = counting();
    for (let count = 1; count < 100; count++) {
      store.dispatchLater(count);
      expect(store.state).toBe(count);
      await clock.pass(10);
    }
    const often = told();
    expect(often).toBe(2);
    store.dispatchLater(100);
    store.dispatch(101);
    expect(told()).toBe(often + 1);
    store.dispatch(101);
    await clock.pass(1000);
    expect([told(), clock.waiting]).toEqual([often + 1, 0]);
  });

  it('tells sooner of what is waited for, even if the rest was to wait', async () => {
    const { clock, store, told } = counting();
    store.dispatch(1);
    store.dispatchLater(2);
    store.dispatchLater(3, 100);
    await clock.pass(99);
    expect(told()).toBe(1);
    await clock.pass(1);
    expect([told(), clock.waiting]).toEqual([2, 0]);
    store.dispatchLater(4);
    store.flush();
    store.flush();
    expect([told(), clock.waiting]).toEqual([3, 0]);
  });

  it('is the same state where no part differs', () => {
    const state = { one: 1, list: [] };
    expect(merged(state, { one: 1, list: state.list })).toBe(state);
    expect(merged(state, { one: 2 })).toEqual({ one: 2, list: [] });
  });
});

describe('what is asked for', () => {
  function asking(value: string | null = null) {
    const clock = createVirtualClock();
    const ending = new AbortController();
    const store = createStore(merged<Fetched<string>>, { value, problem: null, isSlow: false }, clock);
    const reach = async <Value>(answer: Promise<Value>) => answer;
    let answer = (_: string) => {};
    let refuse = (_: Error) => {};
    const asked = new Promise<string>((resolve, reject) => {
      [answer, refuse] = [resolve, reject];
    });
    const fetch = (ask: () => Promise<string>, isContinuing = false) =>
      fetchInto(store, { reach, signal: ending.signal, clock }, ask, { isContinuing });
    return { clock, store, answer, refuse, fetching: fetch(() => asked), fetch, ending };
  }

  it('stays while it is asked for again, and when that fails', async () => {
    const { clock, store, refuse, fetching } = asking('known');
    await clock.pass(200);
    expect(store.state).toEqual({ value: 'known', problem: null, isSlow: false });
    refuse(new Error('no'));
    await fetching;
    expect(store.state).toEqual({ value: 'known', problem: 'no', isSlow: false });
  });

  it('is not told of when the same came again, nor once the dashboard closes', async () => {
    for (const isOver of [false, true]) {
      const { store, answer, fetching, ending } = asking('known');
      let told = 0;
      store.subscribe(() => told++);
      if (isOver) ending.abort();
      answer(isOver ? 'new' : 'known');
      await fetching;
      expect([told, store.state.value]).toEqual([0, 'known']);
    }
  });

  it('says that there is no answer, and takes it back when one comes', async () => {
    const { clock, store, answer, fetching } = asking();
    await clock.pass(149);
    expect(store.state.isSlow).toBe(false);
    await clock.pass(1);
    expect(store.state).toEqual({ value: null, problem: null, isSlow: true });
    await clock.pass(NO_RESPONSE_MS - 151);
    expect(store.state.problem).toBeNull();
    await clock.pass(1);
    expect(store.state.problem).toContain('No answer for 20 s. Still waiting');
    answer('late');
    await fetching;
    expect(clock.waiting).toBe(0);
    expect(store.state).toEqual({ value: 'late', problem: null, isSlow: false });
  });

  it('is what the latest request said, whatever comes of an earlier one', async () => {
    const LATEST = { value: 'latest', problem: null, isSlow: false };
    for (const end of ['answer', 'refuse'] as const) {
      const { clock, store, fetching, fetch, ...asked } = asking();
      await fetch(async () => 'latest');
      await clock.pass(NO_RESPONSE_MS);
      expect(store.state).toEqual(LATEST);
      if (end === 'answer') asked.answer('earlier');
      else asked.refuse(new Error('no'));
      await fetching;
      expect(store.state).toEqual(LATEST);
    }
  });

  it('is replaced by an earlier request where one only went on from it, which goes on from what is there then', async () => {
    const { store, answer, fetching, fetch } = asking('old');
    await fetch(async () => `${store.state.value}, more`, true);
    expect(store.state.value).toBe('old, more');
    let goOn = () => {};
    const held = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const going = fetch(async () => {
      const { value } = store.state;
      await held;
      return `${value}, more`;
    }, true);
    answer('new');
    await fetching;
    expect(store.state.value).toBe('new');
    goOn();
    await going;
    expect(store.state.value).toBe('new, more');
  });
});
