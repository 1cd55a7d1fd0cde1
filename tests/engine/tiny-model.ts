// A tiny model of the test, or of the whole file, that asks for it.
import { rm } from 'node:fs/promises';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { makeModelFolder } from '../support/tiny-model.js';

export async function tinyModel(files?: Record<string, unknown>): Promise<string> {
  const isTest = TestRunner.getCurrentTest() !== undefined;
  const folder = await makeModelFolder(files);
  (isTest ? onTestFinished : afterAll)(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
