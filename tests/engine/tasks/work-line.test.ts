import { describe, expect, it } from 'vitest';
import { createWorkLine } from '../../../lib/engine/tasks/work-line.js';

const { signal } = new AbortController();

/** Work of so many pieces, which are noted as they are done. */
function* pieces(name: string, count: number, done: string[]): Generator<void, string> {
  for (let i = 0; i < count; i++) {
    done.push(name);
    yield;
  }
  return name;
}

describe('work in a line', () => {
  it('of a caller with much of it lets another caller wait for one piece', async () => {
    const line = createWorkLine();
    const done: string[] = [];
    const busy = Array.from({ length: 8 }, (_, i) =>
      line.add(pieces(`busy ${i}`, 100, done), { kind: 'prompt', caller: 'busy', signal }),
    );
    const other = line.add(pieces('other', 1, done), { kind: 'prompt', caller: 'other', signal });
    expect(await other).toBe('other');
    expect(done.length).toBeLessThan(5);
    await Promise.all(busy);
    expect(done.filter(name => name === 'busy 7')).toHaveLength(100);
  });

  it('takes turns between its kinds, however many callers have work of one kind', async () => {
    const line = createWorkLine();
    const done: string[] = [];
    const texts = Array.from({ length: 20 }, (_, i) =>
      line.add(pieces('text', 10, done), { kind: 'text', caller: `${i}`, signal }),
    );
    await line.add(pieces('prompt', 3, done), { kind: 'prompt', caller: 'a', signal });
    expect(done.length).toBeLessThan(10);
    await Promise.all(texts);
  });

  it('of one caller is done in order', async () => {
    const line = createWorkLine();
    const done: string[] = [];
    const place = { kind: 'prompt', caller: 'a', signal };
    await Promise.all([line.add(pieces('1', 2, done), place), line.add(pieces('2', 2, done), place)]);
    expect(done).toEqual(['1', '1', '2', '2']);
  });

  it('is left where it is when nobody waits for it anymore', async () => {
    const line = createWorkLine();
    const done: string[] = [];
    const leaving = new AbortController();
    const left = line.add(pieces('left', 100, done), { kind: 'prompt', caller: 'a', signal: leaving.signal });
    const reason = new Error('left');
    async function* leave(): AsyncGenerator<void, void> {
      leaving.abort(reason);
      yield;
    }
    const [outcome] = await Promise.allSettled([
      left,
      line.add(leave(), { kind: 'prompt', caller: 'b', signal }),
    ]);
    expect(outcome).toEqual({ status: 'rejected', reason });
    expect(done.length).toBeLessThan(5);
  });

  it('that fails does not hold up the rest', async () => {
    const line = createWorkLine();
    const place = { kind: 'prompt', caller: 'a', signal };
    const fault = new Error('broken');
    const failing = line.add(
      (function* () {
        yield;
        throw fault;
      })(),
      place,
    );
    const next = line.add(pieces('next', 1, []), place);
    const [outcome, value] = await Promise.allSettled([failing, next]);
    expect(outcome).toEqual({ status: 'rejected', reason: fault });
    expect(value).toEqual({ status: 'fulfilled', value: 'next' });
  });
});
