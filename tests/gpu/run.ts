// `npm run test:gpu`: what needs a GPU, on SwiftShader, the one in software that Debian's Chromium brings; with --lavapipe on Mesa's,
// which has float16; with --own, on this machine's. Further arguments are vitest's, such as `probe` for one file. Where there is no
// SwiftShader or no lavapipe, it says so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const CHROMIUM = '/usr/lib/chromium';
const VITEST = join(import.meta.dirname, '../../node_modules/.bin/vitest');
const DRIVER = join(CHROMIUM, 'vk_swiftshader_icd.json');

/** A file of Vulkan's that names the driver; Mesa's own unless another one is named. Older ones than 23 lack what ONNX Runtime needs. */
const LAVAPIPES = [
  process.env.SVC_LAVAPIPE,
  ...['lvp_icd.json', 'lvp_icd.x86_64.json'].map(name => `/usr/share/vulkan/icd.d/${name}`),
];

const OPTIONS = ['--own', '--lavapipe', '--if-there'];
const [own, isLavapipe, skips] = OPTIONS.map(option => process.argv.includes(option));
const filters = process.argv.slice(2).filter(word => !OPTIONS.includes(word));
// SwiftShader has no float16.
const left = own || isLavapipe ? [] : ['--exclude', 'tests/gpu/half-weights*.test.ts'];

const driver = isLavapipe ? LAVAPIPES.find(path => path && existsSync(path)) : DRIVER;
if (!own && !(driver && existsSync(driver))) {
  console.log(
    isLavapipe
      ? 'Not run: there is no lavapipe. On Debian, the package mesa-vulkan-drivers brings it, on Debian 12 that of bookworm-backports. SVC_LAVAPIPE names its lvp_icd.json elsewhere.'
      : `Not run: there is no SwiftShader in ${CHROMIUM}. On Debian, "apt-get install chromium" brings it.`,
  );
  process.exit(skips ? 0 : 1);
}
const { LD_LIBRARY_PATH: libraries, ...env } = process.env;
// Chromium has the loader, too.
const inSoftware = {
  VK_ICD_FILENAMES: driver,
  VK_DRIVER_FILES: driver,
  LD_LIBRARY_PATH: [CHROMIUM, libraries].filter(Boolean).join(':'),
};
const args = ['run', '--mode', 'built', '--project', 'apart-gpu', ...left, ...filters];
const { status } = spawnSync(VITEST, args, {
  stdio: 'inherit',
  env: own ? process.env : { ...env, ...inSoftware },
});
process.exit(status ?? 1);
