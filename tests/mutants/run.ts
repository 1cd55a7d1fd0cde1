// Measures whether a room's tests notice deliberate errors in it: see README.md.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { LogLevel } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { compare, printComparison } from './compare.js';
import { createReader } from './place.js';
import { measuredRooms } from './rooms.js';
import { readScore, saveScore } from './saved-scores.js';
import { printScore, toScore } from './score.js';
import { tellProcesses } from './settings.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    share: { type: 'string' },
    compare: { type: 'boolean' },
    save: { type: 'boolean' },
  },
});
const name = positionals[0] ?? '';
const room = measuredRooms[name];
if (!room) throw new Error(`Name a room: ${Object.keys(measuredRooms).join(', ')}.`);

const before = readScore(name);
if (values.compare && !before) throw new Error(`${name} has no saved score to compare with.`);

tellProcesses(room.tests, values.all ? 1 : Number(values.share ?? room.share));
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const score = toScore(await tryMutants(), commit, createReader());
printScore(name, score);
if (values.save) saveScore(name, score);
if (values.compare && before) {
  const comparison = compare(before, score);
  printComparison(comparison);
  if (comparison.lost.length > 0) process.exitCode = 1;
}

/** Nothing is sent anywhere, and what is written is gone afterwards. */
async function tryMutants() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mutants-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return await new Stryker({
    mutate: [`lib/${name}/**/*.ts`],
    testRunner: 'vitest',
    vitest: { configFile: 'tests/mutants/vitest.config.ts', related: true },
    plugins: ['@stryker-mutator/vitest-runner', './tests/mutants/draw.ts'],
    checkers: ['draw'],
    // The plugin and what it imports are TypeScript.
    checkerNodeArgs: ['--import', 'tsx'],
    testRunnerNodeArgs: ['--import', 'tsx'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 15_000,
    timeoutFactor: 2,
    disableTypeChecks: false,
    ignorePatterns: ['/dist', '/ray', '/screenshots'],
    tempDirName: folder,
    cleanTempDir: 'always',
    reporters: ['progress-append-only'],
    warnings: { unknownOptions: true, preprocessorErrors: true, unserializableOptions: true, slow: false },
    logLevel: 'warn' as LogLevel,
  }).runMutationTest();
}
