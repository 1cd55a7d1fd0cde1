// `--mode built`: the processes that tests start run from `dist`, which starts three times as fast as the sources.
import { existsSync } from 'node:fs';
import type { Plugin } from 'vite';

export const builtPrograms: Plugin = {
  name: 'built-programs',
  buildStart() {
    if (!existsSync('dist/cli/bin.js'))
      throw new Error('There is no build yet. Run "npm run build:run" first.');
  },
  transform(code, id) {
    if (!id.endsWith('/lib/system/programs.ts')) return undefined;
    const built = code.replace(/export const isSource = .*;/, 'export const isSource = false;');
    if (built === code)
      throw new Error('lib/system/programs.ts no longer has `isSource` on a line of its own');
    return built;
  },
};
