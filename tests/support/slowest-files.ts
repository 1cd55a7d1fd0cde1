// Ends a run with its ten slowest files: they are what makes it long.
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;
/** A run of a few files says nothing about the slowest. */
const FEW = 20;

export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < FEW) return;
    const files = modules.map(module => {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      return {
        path: relative(process.cwd(), module.moduleId),
        ms: duration + collectDuration + setupDuration,
      };
    });
    files.sort((a, b) => b.ms - a.ms);
    console.log('\nThe slowest files:');
    for (const { path, ms } of files.slice(0, SHOWN))
      console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${path}`);
  }
}
