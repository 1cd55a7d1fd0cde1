import { describe, expect, it, vi } from 'vitest';
import { PieceStream } from '../../../lib/engine/generate/piece-stream.js';

async function collect(stream: PieceStream<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const value of stream) all.push(value);
  return all;
}

describe('a stream of pieces', () => {
  it('yields pieces pushed before and while it is read, then ends', async () => {
    const stream = new PieceStream<number>(() => {});
    stream.push(1);
    const reading = collect(stream);
    await null;
    stream.push(2);
    stream.push(3);
    stream.end();
    stream.push(4);
    expect(await reading).toEqual([1, 2, 3]);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('yields the pieces pushed before an error, then throws it once', async () => {
    const stream = new PieceStream<number>(() => {});
    stream.push(1);
    stream.end({ error: new Error('lost') });
    stream.end();
    expect(await stream.next()).toEqual({ value: 1, done: false });
    await expect(stream.next()).rejects.toThrow('lost');
    expect((await stream.next()).done).toBe(true);
  });

  it('reports a reader that stops before the end, but not after', async () => {
    const left = vi.fn();
    const stream = new PieceStream<number>(left);
    stream.push(1);
    stream.push(2);
    for await (const _ of stream) break;
    expect(left).toHaveBeenCalledOnce();
    expect((await stream.next()).done).toBe(true);
    const finished = new PieceStream<number>(left);
    finished.end();
    await finished.return();
    expect(left).toHaveBeenCalledOnce();
  });

  it('answers pending reads in order, also when its reader stops', async () => {
    const stream = new PieceStream<number>(() => {});
    const asked = [stream.next(), stream.next(), stream.next()];
    stream.push(1);
    stream.push(2);
    await Promise.all(asked.slice(0, 2));
    await stream.return();
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([1, 2, undefined]);
  });
});
