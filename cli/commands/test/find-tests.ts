// Tests for weights are files named so: `triage.weights.test.ts`.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** In a path, it names such a file: vitest filters by parts of paths. */
export const WEIGHT_TESTS = '.weights.test.';

export const WEIGHT_TESTS_GLOB = '**/*.weights.test.?(c|m)[jt]s?(x)';

const NAME = /\.weights\.test\.[cm]?[jt]sx?$/;
const DEEPEST = 12;

/** The paths of a project's tests for weights, relative to its folder. Packages and hidden folders have none. */
export async function findWeightTests(folder: string, under = '', depth = 0): Promise<string[]> {
  const entries = await readdir(join(folder, under), { withFileTypes: true });
  const found = entries.map(async entry => {
    const path = join(under, entry.name);
    if (entry.isFile()) return NAME.test(entry.name) ? [path] : [];
    const isOther = !entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.');
    return isOther || depth >= DEEPEST ? [] : findWeightTests(folder, path, depth + 1);
  });
  return (await Promise.all(found)).flat().sort();
}
