// Stryker's plugin that draws a part of the mutants: it asks its checkers which mutants to try, one by one.
import type { Checker, CheckResult } from '@stryker-mutator/api/check';
import { CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { createReader, isDrawn, placeOf } from './place.js';
import { readShare } from './settings.js';

class Draw implements Checker {
  async init(): Promise<void> {}

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const share = readShare();
    const read = createReader();
    const judge = (mutant: Mutant): CheckResult =>
      isDrawn(placeOf(mutant, read), share)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: 'not drawn' };
    return Object.fromEntries(mutants.map(mutant => [mutant.id, judge(mutant)]));
  }

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'draw', Draw)];
