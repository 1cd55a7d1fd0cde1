// Failures of svc login --device. It polls the provider every five seconds, so the tests run concurrently.
import { readdir } from 'node:fs/promises';
import { describe, it } from 'vitest';
import { startCli } from '../cli/support/terminal.js';
import { openBrowser } from './browser.js';
import { openWorld, type World } from './world.js';

const start = ({ cwd, env }: World) => startCli(['login', '--device'], { cwd, env });
const homeOf = ({ home }: World) => readdir(home).catch(() => []);

describe.concurrent('svc login --device', () => {
  it('reports an expired code and how to get a new one', async ({ expect }) => {
    const world = await openWorld();
    world.provider.deviceCodeSeconds = 1;
    expect(await start(world).done).toMatchObject({
      exitCode: 4,
      stderr: 'svc: The code expired. Run `svc login --device` to get a new one.\n',
    });
    expect(await homeOf(world)).toEqual([]);
    await world.close();
  });

  it('reports that the user denied the sign-in', async ({ expect }) => {
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
