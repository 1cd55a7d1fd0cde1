// svc login --device when it comes to nothing. A provider is asked every five seconds, so that the tests wait side by side.
import { readdir } from 'node:fs/promises';
import { describe, it } from 'vitest';
import { startCli } from '../cli/support/terminal.js';
import { openBrowser } from './browser.js';
import { openWorld, type World } from './world.js';

const start = ({ cwd, env }: World) => startCli(['login', '--device'], { cwd, env });
const homeOf = ({ home }: World) => readdir(home).catch(() => []);

describe.concurrent('svc login --device', () => {
  it('says so when the code was not entered in time, and what helps', async ({ expect }) => {
    const world = await openWorld();
    world.provider.deviceCodeSeconds = 1;
    expect(await start(world).done).toMatchObject({
      exitCode: 4,
      stderr: 'svc: The code expired. Run `svc login --device` to get a new one.\n',
    });
    expect(await homeOf(world)).toEqual([]);
    await world.close();
  });

  it('says so when they refuse', async ({ expect }) => {
    const world = await openWorld();
    const call = start(world);
    await call.shown('enter this code: ');
    const [, code] = /enter this code: (\S+)/.exec(call.stdout)!;
    const browser = openBrowser();
    const form = await browser.open(`${world.provider.issuer}/device`);
    await browser.submit(await browser.submit(form, { user_code: code! }), { abort: 'yes' });
    expect(await call.done).toMatchObject({
      exitCode: 4,
      stderr: `svc: Sign-in at ${world.provider.issuer} was denied. Run \`svc login\` to try again.\n`,
    });
    expect(await homeOf(world)).toEqual([]);
    await world.close();
  });
});
