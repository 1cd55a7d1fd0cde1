// Nothing is exported that nobody imports.
import { describe, expect, it } from 'vitest';
import { findUnusedExports } from './support/exports.js';
import { isProductFile } from './support/rooms.js';
import { readSourceTree } from './support/source-tree.js';

/** What the product exports for tests alone, by the reason. */
const FOR_TESTS: Record<string, string[]> = {
  'an exact function, whose cases would each need a whole process, screen or provider': [
    'cli/dashboard/terminal/painter.ts changedLines',
    'cli/dashboard/views/readers/help.ts helpLines',
    'lib/cloud/auth/oauth/issuer-keys.ts metadataAddresses',
    'lib/cloud/auth/oauth/verify-token.ts createTokenVerifier',
    'lib/cloud/inference/supervisor.ts restartWaitMs',
    'lib/console/statistics.ts percentile',
    'lib/contract/key-format.ts checksum',
    'lib/engine/generate/cache-budget.ts rowBytes',
    'lib/engine/generate/sampling/choose.ts argmax',
    'lib/engine/generate/sampling/sampler.ts seededDraw',
    'lib/engine/train/pretrain.ts initializeWeights',
    'lib/engine/train/provider-check.ts findLargestDifference',
    'lib/http/peer-user.ts findInTable',
    'bundled-model/corpus/families/classification.ts draftClassification',
    'bundled-model/corpus/families/redaction.ts draftRedaction',
    'bundled-model/corpus/families/redaction.ts redact',
    'bundled-model/corpus/families/rewriting/verbs.ts toThird',
    'bundled-model/corpus/families/schema.ts draftSchema',
  ],
  'a limit or a table that a test walks': [
    'lib/console/chart.ts SCREEN_VERTICES',
    'lib/console/student-t.ts STUDENT_T_95',
    'lib/console/terminal-text.ts TERMINAL_LINES',
    'lib/contract/bounded.ts MOST_TURNS',
    'lib/contract/errors.ts ERROR_STATUS',
    'lib/http/json-gauge.ts JSON_LIMITS',
  ],
  'an error or a type that a test names': [
    'cli/dashboard/views/jobs/state.ts JobsAction',
    'lib/cloud/disk/own-folder.ts FolderLockError',
    'lib/cloud/inference/local-backend.ts LocalBackend',
    'lib/cloud/jobs/garbage.ts GarbageContext',
    'lib/cloud/jobs/index.ts Jobs',
    'lib/contract/errors.ts ErrorEnvelope',
    'lib/engine/process/watch-heartbeat.ts HeartbeatWatch',
    'lib/engine/train/data/open-blob.ts BlobLimits',
    'lib/engine/train/prepare.ts PrepareOptions',
    'lib/sdk/oauth/redirect-listener.ts RedirectListener',
  ],
};

/** Command modules are loaded whole. */
const LOADED_WHOLE = /^cli\/commands\/.* run$/;

describe('the exports of the product', () => {
  const files = readSourceTree();
  const product = files.filter(({ path }) => isProductFile(path));
  const unusedBy = (users: typeof files) =>
    findUnusedExports(product, users).filter(name => !LOADED_WHOLE.test(name));

  it('are imported by the product, apart from those that tests need', () => {
    expect(unusedBy(product).sort()).toEqual(Object.values(FOR_TESTS).flat().sort());
  });

  it('are all imported by a test, if not by the product', () => {
    expect(unusedBy(files)).toEqual([]);
  });
});

describe('an export', () => {
  const lib = { path: 'lib/a.ts', source: 'export const used = 1; export function loose() {}' };

  it.each([
    ['an import', "import { used as mine } from './a.js'"],
    ['a re-export', "export { used } from './a.js'"],
    ['a module that is loaded later', "const { used } = await import('./a.js')"],
    ['a property of such a module', "(await import('./a.js')).used"],
    ['a component', '<script setup lang="ts">\nimport { used } from \'./a.js\'\n</script>'],
  ])('is used by %s', (_what, source) => {
    const path = source.startsWith('<') ? 'studio-web/B.vue' : 'lib/b.ts';
    expect(findUnusedExports([lib], [lib, { path, source }])).toEqual(['lib/a.ts loose']);
  });

  it('is not used by its own file', () => {
    expect(findUnusedExports([lib], [{ ...lib, source: `${lib.source}; used; loose.loose` }])).toEqual([
      'lib/a.ts loose',
      'lib/a.ts used',
    ]);
  });
});
