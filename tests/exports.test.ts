// Nothing is exported that nobody imports.
import { describe, expect, it } from 'vitest';
import { findUnusedExports } from './support/exports.js';
import { JOURNEY_TIMEOUT_MS } from './support/patience.js';
import { readSourceTree } from './support/source-tree.js';

/** The product, and what makes its bundled model. */
const isProductFile = (path: string) => /^(cli|lib|studio-web|bundled-model(?!\/tests))\//.test(path);

/** What the product exports for tests alone, by the reason. */
const EXPORTED_FOR_TESTS: Record<string, string[]> = {
  'an exact function, whose cases would each need a whole process, screen or provider': [
    'lib/cloud/auth/oauth/issuer-keys.ts metadataAddresses',
    'lib/cloud/auth/oauth/verify-token.ts createTokenVerifier',
    'lib/cloud/inference/supervisor.ts restartWaitMs',
    'lib/cloud/serve/release-memory.ts createMemoryRelease',
    'lib/console/data-view.ts formatsText',
    'lib/console/series.ts appendPoint',
    'lib/console/sweep-cells.ts sweepCells',
    'lib/contract/key-format.ts checksum',
    'lib/engine/generate/cache-budget.ts rowBytes',
    'lib/engine/generate/sampling/choose.ts argmax',
    'lib/engine/generate/sampling/sampler.ts seededDraw',
    'lib/engine/train/pretrain.ts initializeWeights',
    'lib/engine/train/provider-check.ts findLargestDifference',
    'lib/client/patient-fetch.ts createPatientFetch',
    'lib/http/peer-user.ts findInTable',
    'lib/sdk/trainer/upload-pieces.ts nextPiece',
    'lib/studio/train/train-child.ts spawnTrain',
    'bundled-model/corpus/families/classification.ts draftClassification',
    'bundled-model/corpus/families/redaction.ts draftRedaction',
    'bundled-model/corpus/families/redaction.ts redact',
    'bundled-model/corpus/families/rewriting/verbs.ts toThird',
    'bundled-model/corpus/families/schema.ts draftSchema',
  ],
  'a limit or a table that a test walks': [
    'lib/console/student-t.ts STUDENT_T_95',
    'lib/console/terminal-text.ts TERMINAL_LINES',
    'lib/contract/bounded.ts MOST_TURNS',
    'lib/contract/anthropic-messages.ts anthropicError',
    'lib/http/connections.ts mostConnections',
    'lib/http/json-gauge.ts JSON_LIMITS',
    'lib/engine/train/data/row-buffer.ts maxRowBytes',
  ],
  'an error or a type that a test names': [
    'lib/console/train-view.ts RunState',
    'lib/cloud/disk/own-folder.ts FolderLockError',
    'lib/cloud/inference/local-backend.ts LocalBackend',
    'lib/cloud/jobs/garbage.ts GarbageContext',
    'lib/engine/process/watch-heartbeat.ts HeartbeatWatch',
    'lib/engine/train/data/open-blob.ts BlobLimits',
    'lib/sdk/trainer/upload-dataset.ts UploadContext',
    'lib/engine/tasks/run-file.ts RunFile',
    'lib/sdk/oauth/redirect-listener.ts RedirectListener',
    'lib/cloud/disk/private-folder.ts FolderSharedError',
    'lib/cloud/serve/open-base-model.ts BaseModelError',
    'lib/engine/generate/generator.ts GeneratorOptions',
    'lib/engine/hub/download-model.ts ModelDownloadError',
    'lib/engine/train/data/dataset.ts FileSource',
    'lib/engine/train/pretrain.ts PretrainJob',
    'lib/engine/weights/read-adapter.ts AdaptedModel',
    'lib/engine/weights/write-adapter.ts AdapterToWrite',
    'lib/http/listen.ts ListenOptions',
  ],
  'what makes and scores the example data sets: its users are tests and benches': [
    'bundled-model/practice/overlap/index.ts measureOverlap',
    'bundled-model/practice/rows.ts PRACTICE_NAMES',
    'bundled-model/practice/rows.ts PracticeName',
    'bundled-model/practice/rows.ts practiceRows',
    'bundled-model/practice/rows.ts scoreContent',
    'bundled-model/practice/rows.ts scoreExact',
    'bundled-model/practice/tone/index.ts isKind',
    'bundled-model/practice/tone/index.ts tonePairs',
    'bundled-model/tokenizer/encode.ts createEncoder',
    'bundled-model/tokenizer/encode.ts tokensPerWord',
  ],
};

/** A command's module is loaded as a whole. */
const COMMAND_MODULE = /^cli\/commands\/.* run$/;

describe('the exports of the product', () => {
  const files = readSourceTree();
  const product = files.filter(({ path }) => isProductFile(path));
  const unusedBy = (users: typeof files) =>
    findUnusedExports(product, users).filter(name => !COMMAND_MODULE.test(name));

  it('are imported by the product, apart from those that tests need', { timeout: JOURNEY_TIMEOUT_MS }, () => {
    const advice = 'Remove "export", or list it in EXPORTED_FOR_TESTS with the reason';
    expect(unusedBy(product).sort(), advice).toEqual(Object.values(EXPORTED_FOR_TESTS).flat().sort());
  });

  it('are all imported by a test, if not by the product', { timeout: JOURNEY_TIMEOUT_MS }, () => {
    expect(unusedBy(files)).toEqual([]);
  });
});

describe('an export', () => {
  const lib = { path: 'lib/a.ts', source: 'export const used = 1; export function loose() {}' };

  it.each([
    ['an import', "import { used as mine } from './a.js'"],
    ['a module that is loaded later', "const { used } = await import('./a.js')"],
    ['a property of such a module', "(await import('./a.js')).used"],
    ['a component', '<script setup lang="ts">\nimport { used } from \'./a.js\'\n</script>'],
  ])('is used by %s', (_what, source) => {
    const path = source.startsWith('<') ? 'studio-web/B.vue' : 'lib/b.ts';
    expect(findUnusedExports([lib], [lib, { path, source }])).toEqual(['lib/a.ts loose']);
  });

  it('is used by a re-export of the package alone', () => {
    const source = "export { used } from './a.js'";
    expect(findUnusedExports([lib], [{ path: 'lib/index.ts', source }])).toEqual(['lib/a.ts loose']);
    expect(findUnusedExports([lib], [{ path: 'lib/b/index.ts', source }])).toHaveLength(2);
  });

  it('is not used by its own file', () => {
    expect(findUnusedExports([lib], [{ ...lib, source: `${lib.source}; used; loose.loose` }])).toEqual([
      'lib/a.ts loose',
      'lib/a.ts used',
    ]);
  });
});
