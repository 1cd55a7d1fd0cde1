// A Chromium of this machine, for the tests and pictures of the browser app. It gets a home of its own: some die without
// one, and nobody's settings belong in a test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './chromium-places.js';
import { PATIENCE_MS } from './patience.js';

const FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  '--disable-quic',
  // Containers have little of it.
  '--disable-dev-shm-usage',
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('There is no Chromium on this machine: `npm run chromium` helps.');
  const home = await mkdtemp(join(tmpdir(), 'svc-chromium-'));
  const isRoot = process.getuid?.() === 0;
  const browser = await chromium.launch({
    executablePath,
    args: [...FLAGS, ...(isRoot ? ['--no-sandbox'] : [])],
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    timeout: PATIENCE_MS,
  });
  browser.on('disconnected', () => void rm(home, { recursive: true, force: true, maxRetries: 3 }));
  return browser;
}
