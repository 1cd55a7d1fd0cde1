// The order of the test files: those that take long go first, for the last of them would keep one worker busy while the
// others have nothing left to do. Vitest itself knows that only where it has run before.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Many times as long as the others, from measuring; who is missing here only ends later. */
export const LONG = [
  'tests/browser/studio-web.test.ts',
  'tests/cli/cloud.test.ts',
  'tests/sdk/local-cloud/ensure.test.ts',
  'tests/terminal/dev.test.ts',
  'tests/browser-real/studio.test.ts',
  'tests/e2e/loop.test.ts',
  'tests/cloud/jobs/local-runner.test.ts',
  'tests/engine/worker.test.ts',
  'tests/cloud/jobs/chaos.test.ts',
  'tests/cli/dev.test.ts',
  'tests/sign-in/login.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex(path => moduleId.endsWith(path));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
