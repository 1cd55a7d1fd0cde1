// Whether everybody can use the pages: by keys, by ear, on a small screen, in either theme.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fillDemo } from '../../support/fake-studio/demo.js';
import { SCENES } from '../../support/fake-studio/scenes.js';
import { focusedName } from '../elements.js';
import { openStudio, until } from '../harness.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on sizes and colors alone. */
const VISUAL_RULES = ['color-contrast', 'scrollable-region-focusable', 'target-size'];

/** How a page can look otherwise than at first. */
const LOOKS = [
  { width: 360, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'dark' },
  { width: 1024, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
] as const;

/** Pages whose parts find other places at each width: they are judged at all of them. */
const EVERY_WIDTH =
  /^(overview|job-completed|job-charts|jobs-sweep|jobs-choosing|compare|cluster|playground-beside)$/;

/** Of a long log the last rows, which are as the others. */
const SCOPE = { exclude: [['section tbody tr:not(:nth-last-child(-n + 12))']] };

/** What axe-core holds against the page, best practices included, as a line each. */
function findFaults(page: Page, rules?: string[]): Promise<string[]> {
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(SCOPE)}, ${JSON.stringify({ runOnly: rules })})
    .then(({ violations }) => violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html }) => impact + ' ' + id + ': ' + html)))`);
}

/** Of the scenes whose address begins so. */
export function judgeScenes(addresses: RegExp): void {
  it.each(SCENES.filter(({ hash }) => addresses.test(hash)))(
    'Every page, $name: axe-core finds nothing in either theme, at any width, and it fits 360 pixels',
    async ({ name, hash, world = fillDemo, arrange, finish }) => {
      const { page, studio } = await openStudio(hash, { arrange: world });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await arrange?.(page, studio);
      await finish?.(page);
      await page.evaluate(AXE);
      expect(await findFaults(page)).toEqual([]);
      for (const { width, colorScheme } of EVERY_WIDTH.test(name) ? LOOKS : LOOKS.slice(0, 1)) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await until(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await until(() => page.evaluate('inPage.findWidthFaults()')).toEqual([]);
        const findHere = async () =>
          (await findFaults(page, VISUAL_RULES)).map(fault => `${width} ${colorScheme}: ${fault}`);
        // Whether a box scrolls, and can be reached by keys, is known a frame after it has another width.
        await until(findHere).toEqual([]);
      }
    },
  );
}

export function goThroughByKeys(): void {
  it('A page can be gone through by keys, from the header into the view', async () => {
    const { page, sees, keys } = await openStudio('#/endpoints', { arrange: fillDemo });
    await sees('plain.d.example.com');
    const focused = () => focusedName(page);
    const seen: string[] = [];
    for (let press = 0; press < 10; press++) {
      await keys('Tab');
      seen.push(await focused());
    }
    expect(seen.slice(0, 8)).toEqual([
      'svc',
      'Overview',
      'Jobs',
      'Playground',
      'Endpoints',
      'Switch to dark theme',
      'New endpoint',
      'triage.d.example.com',
    ]);
    await page.getByRole('link', { name: 'Jobs', exact: true }).focus();
    await keys('Enter').isOn('Jobs');
    await until(() => page.evaluate<string>('document.activeElement.tagName')).toBe('H1');
    await keys('Tab');
    expect(await focused()).toBe('Columns');
  });
}
