// `npm run chromium`: makes sure that there is a Chromium for the tests. Debian's is installed where this is root on
// Debian; elsewhere the line that installs one is printed, and the exit code is 1.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findChromium } from './chromium-places.js';

export interface Machine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  /** `ID` of /etc/os-release; empty where there is none. */
  system: string;
}

const APT_LINES = [
  'apt-get update',
  'DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium-headless-shell',
];

/** What to run as it is, or what to tell the user to run. */
export function planInstall({ platform, isRoot, system }: Machine): { run: string[] } | { tell: string } {
  if (system === 'debian')
    return isRoot ? { run: APT_LINES } : { tell: 'sudo apt-get install chromium-headless-shell' };
  if (platform === 'darwin') return { tell: 'brew install --cask google-chrome' };
  return { tell: 'npx playwright-core install --with-deps chromium' };
}

function thisMachine(): Machine {
  const release = process.platform === 'linux' ? readRelease() : '';
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    system: /^ID="?([\w-]+)/m.exec(release)?.[1] ?? '',
  };
}

function readRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8');
  } catch {
    return '';
  }
}

function install(): boolean {
  const plan = planInstall(thisMachine());
  if ('tell' in plan) {
    console.error(
      `The browser tests need a Chromium. Run this, or name one in SVC_CHROMIUM:\n\n  ${plan.tell}\n`,
    );
    return false;
  }
  console.log('No Chromium was found: installing that of Debian.');
  const isDone = plan.run.every(line => spawnSync(line, { shell: true, stdio: 'inherit' }).status === 0);
  if (!isDone)
    console.error('It could not be installed: name a Chromium in SVC_CHROMIUM, or mend what apt-get says.');
  return isDone;
}

function main(): number {
  try {
    return findChromium() || (install() && findChromium()) ? 0 : 1;
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
}

if (import.meta.filename === process.argv[1]) process.exitCode = main();
