// What a view of the dashboard knows of something that it asked for.
import { expect, it } from 'vitest';
import {
  type FetchAction,
  type Fetched,
  fetchInto,
  notFetched,
  reduceFetched,
} from '../../cli/dashboard/core/fetched.js';
import { NO_ANSWER_MS } from '../../lib/console/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

it('says that there is no answer, and takes it back when one comes', async () => {
  let state: Fetched<string> = notFetched;
  const dispatch = (action: FetchAction<string>) => {
    state = reduceFetched(state, action);
  };
  let answer = (_: string) => {};
  const asked = new Promise<string>(resolve => {
    answer = resolve;
  });
  const clock = createVirtualClock();
  const context = {
    reach: async <Value>(value: Promise<Value>) => value,
    signal: new AbortController().signal,
    clock,
  };
  const fetching = fetchInto(context, () => asked, dispatch);
  await clock.pass(149);
  expect(state.isSlow).toBe(false);
  await clock.pass(1);
  expect(state).toEqual({ value: null, problem: null, isSlow: true });
  await clock.pass(NO_ANSWER_MS - 151);
  expect(state.problem).toBeNull();
  await clock.pass(1);
  expect(state.problem).toContain('No answer for 20 s. Still waiting');
  answer('late');
  await fetching;
  expect(clock.waiting).toBe(0);
  expect(state).toEqual({ value: 'late', problem: null, isSlow: false });
});
