// What a view of the dashboard knows of something that it asked for.
import { expect, it } from 'vitest';
import {
  type FetchAction,
  type Fetched,
  fetchInto,
  notFetched,
  reduceFetched,
} from '../../cli/dashboard/core/fetched.js';
import { until } from '../support/until.js';

it('says that there is no answer, and takes it back when one comes', async () => {
  let state: Fetched<string> = notFetched;
  const dispatch = (action: FetchAction<string>) => {
    state = reduceFetched(state, action);
  };
  let answer = (_: string) => {};
  const asked = new Promise<string>(resolve => {
    answer = resolve;
  });
  const context = {
    reach: async <Value>(value: Promise<Value>) => value,
    signal: new AbortController().signal,
  };
  const fetching = fetchInto(context, () => asked, dispatch, 10);
  await until(() => state.problem).toContain('No answer for 0.01 s. Still waiting');
  answer('late');
  await fetching;
  expect(state).toEqual({ value: 'late', problem: null, isSlow: false });
});
