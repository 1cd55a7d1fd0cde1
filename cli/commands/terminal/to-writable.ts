// Wraps an `Output` as a Node stream, for code that needs one.
import { Writable } from 'node:stream';
import type { Output } from '../../command.js';

export function toWritable(output: Output, isMuted: () => boolean = () => false): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      if (!isMuted()) output.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { get: () => output.isTTY },
    columns: { get: () => output.columns },
  });
}
