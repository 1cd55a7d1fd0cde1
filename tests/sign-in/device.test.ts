// Failures of svc login --device. It polls the provider every five seconds, so the tests run concurrently.
import { describe, it } from 'vitest';
import { signInByDevice } from '../../lib/sdk/index.js';
import { openProvider } from '../../lib/sdk/oauth/provider.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openBrowser } from './browser.js';
import { AUDIENCE, CLIENT_ID, startIdentityProvider } from './identity-provider.js';
import { codeIn, openWorld } from './world.js';

describe.concurrent('svc login --device', () => {
  it('reports an expired code and how to get a new one', async ({ expect, onTestFinished }) => {
    const world = await openWorld({}, onTestFinished);
    world.provider.deviceCodeSeconds = 1;
    const { exitCode, stderr } = await world.startLogin('--device').done;
    const told = 'svc: The code expired. Run `svc login --device` to get a new one.\n';
    expect([exitCode, stderr]).toEqual([4, told]);
    expect(await world.inHome()).toEqual([]);
  });

  it('reports that the user denied the sign-in', async ({ expect, onTestFinished }) => {
    const world = await openWorld({}, onTestFinished);
    const { issuer } = world.provider;
    const call = world.startLogin('--device');
    const code = await codeIn(call);
    const browser = openBrowser();
    const form = await browser.open(`${issuer}/device`);
    await browser.submit(await browser.submit(form, { user_code: code }), { abort: 'yes' });
    const { exitCode, stderr } = await call.done;
    const told = `svc: Sign-in at ${issuer} was denied. Run \`svc login\` to try again.\n`;
    expect([exitCode, stderr]).toEqual([4, told]);
    expect(await world.inHome()).toEqual([]);
  });

  it('waits until the code expires, which is told at once', async ({ expect, onTestFinished }) => {
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
    const message = expect.stringContaining('The code expired.');
    expect(end).toMatchObject({ code: 'unauthenticated', message });
  });
});
