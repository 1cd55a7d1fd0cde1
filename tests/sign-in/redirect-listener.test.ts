// The listener for the redirect after sign-in ignores all other requests.
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

/** Requests exactly this target and returns the status line of the response. */
async function send(target: string): Promise<string> {
  const { port, host } = new URL(listener.uri);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split('\r\n')[0]!;
}

it.each(['//', '///', '//:99999999', '//[', '//callback', '/%', '/\\', 'http://[', '*'])(
  'refuses %s and still accepts the redirect',
  async target => {
    const taken = listener.handleRedirect(async address => address.searchParams.get('code'));
    expect(await send(target)).toMatch(/ 40[04] /);
    expect(await send('/callback?state=another&code=a')).toContain(' 400 ');
    expect(await send('/callback?state=the-state&code=b')).toContain(' 200 ');
    expect(await taken).toBe('b');
  },
);
