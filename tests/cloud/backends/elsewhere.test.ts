// Requests to a server elsewhere: who leaves hears its own reason, even if the whole answer has arrived by then.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { realClock } from '../../../lib/clock/index.js';
import { askForLines, createElsewhere } from '../../../lib/cloud/backends/elsewhere.js';
import { openServer } from '../../support/listening.js';

const elsewhere = createElsewhere({
  look: async () => 'ready',
  waitMs: () => 1000,
  onProblem: () => {},
  clock: realClock,
});

it('a caller who leaves after the whole answer has arrived gets its own reason', async () => {
  const server = await openServer(createServer((_, response) => response.end('one\ntwo\nthree\n')));
  async function* read(signal: AbortSignal) {
    const answer = await askForLines(server.url, { headers: {}, body: '{}', signal });
    let count = 0;
    try {
      for await (const line of answer.lines) {
        count++;
        yield line;
      }
    } finally {
      answer.close(count === 3);
    }
  }
  try {
    const caller = new AbortController();
    const lines = elsewhere.ask(caller.signal, read);
    expect((await lines.next()).value).toBe('one');
    const reason = new Error('gone');
    caller.abort(reason);
    await expect(lines.next()).rejects.toBe(reason);
    expect(await lines.next()).toEqual({ done: true, value: undefined });
  } finally {
    await elsewhere.close();
    await server.close();
  }
});
