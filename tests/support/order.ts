// The order of the test files. A worker takes one file after the other of the same project, so each project's files stay
// together. Those that take long go first, for the last of them would keep one worker busy while the others have nothing
// left to do. A shuffled run (`--sequence.shuffle`) draws the order of the projects, and of the files in each.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createRandom } from './random.js';

/** The projects, those whose files take longest first. */
const PROJECTS = ['browser', 'journeys', 'parts-alone', 'parts', 'pure-onnx', 'pure'];

/** Many times as long as the others of their project, from measuring; who is missing here only ends later. */
const LONG = [
  'tests/browser/runs.test.ts',
  'tests/browser/serving.test.ts',
  'tests/browser-real/studio.test.ts',
  'tests/e2e/ends-with-its-caller.test.ts',
  'tests/terminal/dev.test.ts',
  'tests/e2e/loop.test.ts',
  'tests/e2e/verify.test.ts',
  'tests/terminal/watch.test.ts',
  'tests/cloud/seams/runner.test.ts',
  'tests/engine/hung-run.test.ts',
  'tests/dashboard/sizes.test.tsx',
  'tests/cloud/host/scarce-cloud.test.ts',
  'tests/sign-in/state-file.test.ts',
  'tests/cli/cloud.test.ts',
  'tests/engine/worker.test.ts',
  'tests/sign-in/login.test.ts',
  'tests/sdk/local-cloud/ensure.test.ts',
  'tests/cli/start/stopped-cloud.test.ts',
  'tests/cli/start/start.test.ts',
  'tests/sdk/local-cloud/patience.test.ts',
  'tests/sdk/upload/upload-pieces.test.ts',
  'tests/cli/dev.test.ts',
  'tests/cli/damaged-cloud.test.ts',
  'tests/engine/generate/same-answer.test.ts',
  'tests/engine/text/long-conversation.test.ts',
  'tests/engine/int8/golden-models.test.ts',
];

export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const { next } = createRandom(seed);
    const draws = new Map(shuffle ? [...PROJECTS, ...files].map(each => [each, next()]) : []);
    const place = (file: TestSpecification) => [
      draws.get(file.project.name) ?? PROJECTS.indexOf(file.project.name),
      draws.get(file) ?? findPlace(LONG, path => file.moduleId.endsWith(path)),
    ];
    const places = new Map(files.map(file => [file, place(file)]));
    const compare = (a: TestSpecification, b: TestSpecification) => {
      const [ofA, ofB] = [places.get(a)!, places.get(b)!];
      return ofA[0]! - ofB[0]! || ofA[1]! - ofB[1]!;
    };
    return (await super.sort(files)).sort(compare);
  }
}

function findPlace<T>(list: readonly T[], isIt: (item: T) => boolean): number {
  const at = list.findIndex(isIt);
  return at < 0 ? list.length : at;
}
