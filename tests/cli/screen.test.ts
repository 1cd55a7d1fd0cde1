import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { toWritable } from '../../cli/screen.js';

it('an output as a stream stays open when what was piped into it has ended', async () => {
  const written: string[] = [];
  const stream = toWritable({ write: (text: string) => written.push(text) });
  const worker = Readable.from(['of a worker']);
  worker.pipe(stream);
  await once(worker, 'end');
  await new Promise(setImmediate);
  stream.write('the report');
  expect(written).toEqual(['of a worker', 'the report']);
});
