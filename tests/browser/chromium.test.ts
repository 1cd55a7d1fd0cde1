import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planInstall } from '../support/chromium-install.js';
import { findChromium } from '../support/chromium-places.js';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-places-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function put(path: string): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  return file;
}

describe('The Chromium of the tests', () => {
  const find = (env: NodeJS.ProcessEnv = {}) => findChromium(env, home, []);

  it('is missing where there is none, whether PATH is set or not', () => {
    expect(find()).toBeUndefined();
    expect(find({ PATH: `${home}:` })).toBeUndefined();
  });

  it('is what a variable names, which has to be there', async () => {
    const named = await put('mine/chrome');
    await put('bin/chromium');
    expect(find({ PATH: join(home, 'bin'), CHROMIUM_PATH: named })).toBe(named);
    expect(() => find({ SVC_CHROMIUM: join(home, 'gone') })).toThrow('SVC_CHROMIUM names');
  });

  it('is found by its usual names on PATH, and as the newest of Playwright’s', async () => {
    await put('.cache/ms-playwright/chromium-900/chrome-linux/chrome');
    const newest = await put('.cache/ms-playwright/chromium-1180/chrome-linux/chrome');
    await put('.cache/ms-playwright/firefox-1500/firefox/firefox');
    expect(find()).toBe(newest);
    const onPath = await put('bin/google-chrome');
    expect(find({ PATH: join(home, 'bin') })).toBe(onPath);
  });

  it('is installed by root on Debian alone; others are told one line', () => {
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
});
