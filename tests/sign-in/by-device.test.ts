// A device code, from the view of the library: for how long it is waited for.
import { expect, it, onTestFinished } from 'vitest';
import { signInByDevice } from '../../lib/sdk/index.js';
import { openProvider } from '../../lib/sdk/oauth/provider.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { AUDIENCE, CLIENT_ID, startIdentityProvider } from './identity-provider.js';

it('is waited for until the code expires, which is told at once', async () => {
  const { issuer, close } = await startIdentityProvider();
  onTestFinished(close);
  const clock = createVirtualClock();
  const provider = await openProvider({ issuer, clientId: CLIENT_ID });
  let end: unknown;
  signInByDevice(provider, AUDIENCE, () => {}, clock).catch(error => (end = error));
  await until(() => clock.nextMs).toBe(600_000);
  await clock.pass(599_999);
  expect(end).toBeUndefined();
  await clock.pass(1);
  expect(end).toMatchObject({
    code: 'unauthenticated',
    message: expect.stringContaining('The code expired.'),
  });
});
