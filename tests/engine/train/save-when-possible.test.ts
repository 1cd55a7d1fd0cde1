import { expect, it } from 'vitest';
import { saveWhenPossible } from '../../../lib/engine/train/checkpoint.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const full = () => Object.assign(new Error('write'), { code: 'ENOSPC' });

function failing(times: number, error: () => Error) {
  let tries = 0;
  return async () => {
    if (tries++ < times) throw error();
    return tries;
  };
}

it('retries until the disk recovers, and reports that it is waiting', async () => {
  const reported: (string | null)[] = [];
  let cleared = 0;
  const clear = async () => void cleared++;
  const wrapped = () => new Error('The checkpoint could not be written.', { cause: full() });
  const clock = createHastyClock();
  const control = { onHeldUp: (code: string | null) => reported.push(code), clock };
  expect([await saveWhenPossible(failing(7, wrapped), clear, control), cleared]).toEqual([8, 7]);
  expect(reported).toEqual([...Array(7).fill('ENOSPC'), null]);
  expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
});

it('gives up with the signal’s reason', async () => {
  const stopped = new AbortController();
  const onHeldUp = () => void setImmediate(() => stopped.abort(new Error('stopped')));
  const control = { signal: stopped.signal, clock: createVirtualClock(), onHeldUp };
  await expect(saveWhenPossible(failing(100, full), async () => {}, control)).rejects.toThrow('stopped');
});

it('does not wait without a listener, nor for errors other than disk faults', async () => {
  const save = (error: () => Error, control: object) =>
    saveWhenPossible(failing(1, error), async () => {}, control);
  await expect(save(full, {})).rejects.toThrow('write');
  await expect(save(() => new Error('own'), { onHeldUp: () => {} })).rejects.toThrow('own');
});
