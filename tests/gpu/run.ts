// `npm run test:gpu`: what needs a GPU, on SwiftShader, the one in software that Debian's Chromium brings; with --own, on this
// machine's. Further arguments are vitest's, such as `probe` for one file. Where there is no SwiftShader, it says so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const CHROMIUM = '/usr/lib/chromium';
const VITEST = join(import.meta.dirname, '../../node_modules/.bin/vitest');
const DRIVER = join(CHROMIUM, 'vk_swiftshader_icd.json');

const [own, skips] = ['--own', '--if-there'].map(option => process.argv.includes(option));
const filters = process.argv.slice(2).filter(word => word !== '--own' && word !== '--if-there');
const isThere = existsSync(DRIVER) && existsSync(join(CHROMIUM, 'libvulkan.so.1'));
if (!own && !isThere) {
  console.log(
    `Not run: there is no SwiftShader in ${CHROMIUM}. On Debian, "apt-get install chromium" brings it.`,
  );
  process.exit(skips ? 0 : 1);
}
const { LD_LIBRARY_PATH: libraries, ...env } = process.env;
const swiftShader = {
  VK_ICD_FILENAMES: DRIVER,
  LD_LIBRARY_PATH: [CHROMIUM, libraries].filter(Boolean).join(':'),
};
const { status } = spawnSync(VITEST, ['run', '--mode', 'built', '--project', 'apart-gpu', ...filters], {
  stdio: 'inherit',
  env: own ? process.env : { ...env, ...swiftShader },
});
process.exit(status ?? 1);
