// Where a Chromium may be on this machine: named by a variable, under a usual name, or among those of Playwright.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const VARIABLES = ['SVC_CHROMIUM', 'CHROMIUM_PATH', 'CHROME_PATH', 'CHROME_BIN'];
/** A Chromium without windows comes first: it takes a third less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** Of a build that Playwright downloaded. */
const PROGRAMS = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
];

/** Undefined when there is none. Throws when a variable names one that is not there. */
export function findChromium(
  env: NodeJS.ProcessEnv = process.env,
  home = homedir(),
  places = PLACES,
): string | undefined {
  const variable = VARIABLES.find(name => env[name]);
  if (variable) return mustExist(env[variable]!, variable);
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap(folder => NAMES.map(name => join(folder, name)));
  return [...places, ...onPath, ...playwrightBuilds(env, home)].find(path => existsSync(path));
}

function mustExist(path: string, variable: string): string {
  if (!existsSync(path)) throw new Error(`${variable} names ${path}, which is not there.`);
  return path;
}

/** The newest first. */
function playwrightBuilds(env: NodeJS.ProcessEnv, home: string): string[] {
  const caches = [join(home, '.cache/ms-playwright'), join(home, 'Library/Caches/ms-playwright')];
  return [...(env.PLAYWRIGHT_BROWSERS_PATH ? [env.PLAYWRIGHT_BROWSERS_PATH] : []), ...caches]
    .filter(existsSync)
    .flatMap(cache =>
      readdirSync(cache)
        .filter(name => /^chromium-\d+$/.test(name))
        .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))
        .flatMap(build => PROGRAMS.map(program => join(cache, build, program))),
    );
}
