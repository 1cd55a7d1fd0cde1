// What a view of the dashboard knows of something that it asked for.
import { expect, it } from 'vitest';
import { type Fetched, fetchInto } from '../../cli/dashboard/hooks/fetched.js';
import { createStore, merged } from '../../cli/dashboard/state/store.js';
import { NO_ANSWER_MS } from '../../lib/console/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

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
  const fetching = fetchInto(store, { reach, signal: ending.signal, clock }, () => asked);
  return { clock, store, answer, refuse, fetching, ending };
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
  await clock.pass(NO_ANSWER_MS - 151);
  expect(store.state.problem).toBeNull();
  await clock.pass(1);
  expect(store.state.problem).toContain('No answer for 20 s. Still waiting');
  answer('late');
  await fetching;
  expect(clock.waiting).toBe(0);
  expect(store.state).toEqual({ value: 'late', problem: null, isSlow: false });
});
