import { expect, it, onTestFinished } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { createLane } from '../../../lib/engine/files/lane.js';
import { startReaderProcess } from '../../../lib/engine/files/reader-process.js';

function open() {
  const lane = createLane({ places: 2, low: false, clock: realClock });
  onTestFinished(() => lane.close());
  return lane;
}

it('has its place back after work that cannot be sent to a process', async () => {
  const lane = open();
  const unsendable = () => lane.run({ kind: 'digestFile', input: () => {}, caller: 'a' });
  for (let i = 0; i < 3; i++) await expect(unsendable()).rejects.toThrow('could not be cloned');
  const reading = lane.run({ kind: 'digestFile', input: { path: '/nowhere' }, caller: 'a' });
  await expect(reading).rejects.toMatchObject({ code: 'ENOENT' });
});

it('starts no process once it is closed', async () => {
  const lane = open();
  lane.close();
  const work = lane.run({ kind: 'digestFile', input: { path: '/' }, caller: 'a' });
  await expect(work).rejects.toThrow('is stopping');
});

it('does not begin work whose caller left when its turn came', async () => {
  const process = startReaderProcess({ low: false, clock: realClock });
  const reason = new Error('left');
  const work = process.work({ kind: 'digestFile', input: { path: '/' }, signal: AbortSignal.abort(reason) });
  await expect(work).rejects.toBe(reason);
  await process.untilFree();
  process.close();
});
