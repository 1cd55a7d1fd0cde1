// `npm run screenshots [-- NAME] [--face browser|terminal] [--out FOLDER]`: a picture of every scene, or of those with NAME
// in theirs, into `screenshots/`: of the browser app, as it was built last, light and dark, on a desktop, a tablet and a
// phone; of the dashboard, in terminals from small to large.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from './support/chromium.js';
import { fillDemo } from './support/fake-studio/demo.js';
import { SCENES, type Scene } from './support/fake-studio/scenes.js';
import { startFakeStudio } from './support/fake-studio.js';
import { repositoryRoot } from './support/repository-root.js';
import { takeTerminalPictures } from './terminal/pictures/take-pictures.js';

const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 1024, height: 768 },
  phone: { width: 390, height: 740 },
};
const { values, positionals } = parseArgs({
  options: {
    face: { type: 'string' },
    out: { type: 'string', default: join(repositoryRoot, 'screenshots') },
  },
  allowPositionals: true,
});
const folder = resolve(values.out);
const wanted = positionals[0] ?? '';

await mkdir(folder, { recursive: true });
const browser = await launchChromium();
if (values.face !== 'terminal') await takeBrowserPictures();
if (values.face !== 'browser') await takeTerminalPictures(browser, folder, wanted);
await browser.close();

async function takeBrowserPictures(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [device, viewport] of Object.entries(SIZES)) {
      for (const scene of SCENES.filter(({ name }) => name.includes(wanted))) {
        await takePicture(scene, `${scene.name}-${device}-${colorScheme}.png`, { viewport, colorScheme });
      }
    }
  }
}

async function takePicture(
  { hash, world = fillDemo, arrange, finish }: Scene,
  file: string,
  options: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' },
): Promise<void> {
  const studio = await startFakeStudio();
  world(studio.world);
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  page.on('pageerror', error => console.error(file, error));
  await page.goto(`${studio.url}/${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await arrange?.(page, studio);
  await page.waitForTimeout(300);
  await page.setViewportSize({
    width: options.viewport.width,
    height: await page.evaluate<number>('document.documentElement.scrollHeight'),
  });
  await finish?.(page);
  await page.waitForTimeout(100);
  await page.screenshot({ path: join(folder, file) });
  await context.close();
  await studio.close();
}
