// A Chromium of this machine, for the tests and pictures of the browser app. None is downloaded.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
];

export async function launchChromium(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findChromium(),
    args: [...QUIET_FLAGS, ...(isRoot ? ['--no-sandbox'] : [])],
    timeout: 120_000,
  });
}

export function findChromium(env: NodeJS.ProcessEnv = process.env): string {
  const onPath = (env.PATH ?? '').split(':').flatMap(folder => NAMES.map(name => join(folder, name)));
  const found = env.SVC_CHROMIUM ?? [...PLACES, ...onPath].find(path => existsSync(path));
  if (!found || !existsSync(found))
    throw new Error(
      'No Chromium was found: install it ("apt-get install chromium", or Google Chrome), or name it in SVC_CHROMIUM.',
    );
  return found;
}
