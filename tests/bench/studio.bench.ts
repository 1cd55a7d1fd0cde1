// What Studio costs: from `svc dev` to its page and to a painted list, what the browser has to load, and how it bears a
// chart of 100,000 points and a list of 10,000 jobs. Needs a Chromium: `npm run chromium`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launchChromium } from '../support/chromium.js';
import { repositoryRoot } from '../support/repository-root.js';
import { measureChart } from './studio/chart.js';
import { measureLaunches } from './studio/launch.js';
import { measureList } from './studio/list.js';
import type { Row } from './table.js';

export const name = 'studio (milliseconds unless said otherwise)';

export async function run(): Promise<Row[]> {
  const browser = await launchChromium();
  try {
    return [
      ...measureSize(),
      ...(await measureLaunches(browser)),
      ...(await measureChart(browser)),
      ...(await measureList(browser)),
    ];
  } finally {
    await browser.close();
  }
}

function measureSize(): Row[] {
  const folder = join(repositoryRoot, 'dist', 'studio-web', 'assets');
  const bytesOf = (suffix: string) =>
    readdirSync(folder)
      .filter(name => name.endsWith(suffix))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  return [
    { what: 'JavaScript, compressed, bytes', value: bytesOf('.js') },
    { what: 'styles, compressed, bytes', value: bytesOf('.css') },
  ];
}
