// No file or folder of the product needs one that needs it.
import { expect, it } from 'vitest';
import { findCircles } from './support/circles.js';
import { JOURNEY_TIMEOUT_MS } from './support/patience.js';
import { isProductFile } from './support/rooms.js';
import { readSourceTree } from './support/source-tree.js';

it('there are no circles among the imports of the product', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const files = readSourceTree().filter(({ path }) => isProductFile(path));
  expect(files.length).toBeGreaterThan(100);
  expect(findCircles(files)).toEqual([]);
});

const tree = (sources: Record<string, string>) =>
  Object.entries(sources).map(([path, source]) => ({ path, source }));

it.each([
  ['two files', { 'a/x.ts': "import './y.js'", 'a/y.ts': "import './x.js'" }, ['a/x.ts', 'a/y.ts']],
  [
    'two folders, by different files',
    { 'a/x.ts': "import '../b/y.js'", 'b/z.ts': "import '../a/w.js'", 'a/w.ts': '', 'b/y.ts': '' },
    ['a', 'b'],
  ],
  [
    'a folder and a file beside it, by a type',
    {
      'a/x/y.ts': "import type { Z } from '../z.js'",
      'a/z.ts': "export * from './x/index.js'",
      'a/x/index.ts': '',
    },
    ['a/x', 'a/z.ts'],
  ],
  [
    'three files around',
    { 'a.ts': "import './b.js'", 'b.ts': "await import('./c.js')", 'c.tsx': "import './a.js'" },
    ['a.ts', 'b.ts', 'c.tsx'],
  ],
])('finds %s', (_what, sources, circle) => {
  expect(findCircles(tree(sources))).toEqual([circle]);
});

it('takes a file that is only named as a program for no import', () => {
  const sources = { 'a.ts': "new URL('./b.js', import.meta.url)", 'b.ts': "import './a.js'" };
  expect(findCircles(tree(sources))).toEqual([]);
});
