import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { planInstall } from '../support/chromium-install.js';
import { findChromium } from '../support/chromium-places.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const open = () => {
  const home = temporaryFolder('svc-places');
  return {
    home,
    find: (env: NodeJS.ProcessEnv = {}) => findChromium(env, home, []),
    async put(path: string): Promise<string> {
      const file = join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '');
      return file;
    },
  };
};

it('The Chromium of the tests is what a variable names, which has to be there, or found by its usual names on PATH', async () => {
  const { home, find, put } = open();
  expect([find(), find({ PATH: `${home}:` })]).toEqual([undefined, undefined]);
  const onPath = await put('bin/google-chrome');
  expect(find({ PATH: join(home, 'bin') })).toBe(onPath);
  const named = await put('mine/chrome');
  expect(find({ PATH: join(home, 'bin'), CHROMIUM_PATH: named })).toBe(named);
  expect(() => find({ SVC_CHROMIUM: join(home, 'gone') })).toThrow('SVC_CHROMIUM names');
});

it('The Chromium of the tests is the newest of Playwright’s, unless another is on PATH', async () => {
  const { home, find, put } = open();
  await put('.cache/ms-playwright/chromium-900/chrome-linux/chrome');
  const newest = await put('.cache/ms-playwright/chromium-1180/chrome-linux/chrome');
  await put('.cache/ms-playwright/firefox-1500/firefox/firefox');
  expect(find()).toBe(newest);
  const onPath = await put('bin/chromium');
  expect(find({ PATH: join(home, 'bin') })).toBe(onPath);
});

it('The Chromium of the tests is installed by root on Debian alone; others are told one line', () => {
  expect(planInstall({ platform: 'linux', isRoot: true, system: 'debian' })).toEqual({
    run: [
      expect.stringContaining('apt-get update'),
      expect.stringMatching(/apt-get install .*chromium-headless-shell$/),
    ],
  });
  for (const machine of [
    { platform: 'linux', isRoot: false, system: 'debian' },
    { platform: 'linux', isRoot: true, system: 'ubuntu' },
    { platform: 'darwin', isRoot: false, system: '' },
  ] as const)
    expect(planInstall(machine)).toEqual({ tell: expect.not.stringContaining('\n') });
});
