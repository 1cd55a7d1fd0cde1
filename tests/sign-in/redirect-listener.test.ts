// Where the browser comes back to after signing in: what else may be sent there neither ends it nor is believed.
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenForRedirect, type RedirectListener } from '../../lib/sdk/oauth/redirect-listener.js';

let listener: RedirectListener;
beforeEach(async () => {
  listener = await listenForRedirect('the-state');
});
afterEach(() => listener.close());

/** The status line of what is answered to a request for this target, as it is. */
async function send(target: string): Promise<string> {
  const { port, host } = new URL(listener.uri);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0]!;
}

it.each(['//', '///', '//:99999999', '//[', '//callback', '/%', '/\\', 'http://[', '*'])(
  'turns %s away, and still takes the answer',
  async target => {
    const taken = listener.handleRedirect(async address => address.searchParams.get('code'));
    expect(await send(target)).toMatch(/ 40[04] /);
    expect(await send('/callback?state=another&code=a')).toContain(' 400 ');
    expect(await send('/callback?state=the-state&code=b')).toContain(' 200 ');
    expect(await taken).toBe('b');
  },
);
