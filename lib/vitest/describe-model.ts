// A block of tests that ask one model.
import { beforeAll, describe } from 'vitest';
import type { SchemaInput, SchemaOutput, Task, TaskSchema } from '../task/index.js';
import { type Ask, type AskOptions, askModel, type Question } from './ask.js';
import { type ModelChoice, openModel, type TestedModel, toWord } from './choose-model.js';
import { rememberModel } from './score-matchers.js';

/** Without `job`, `endpoint` and `base`, the newest completed job is asked. */
export interface ModelOptions extends ModelChoice {
  /** Of an answer. Default: 512. */
  maxTokens?: number;
  /** The project's folder. Default: where vitest runs. */
  cwd?: string;
  /** Of each test, in milliseconds. Default: 5 minutes. */
  timeout?: number;
}

interface TypedModelOptions<Input extends TaskSchema, Output extends TaskSchema> extends ModelOptions {
  /** From `defineTask`: questions are its inputs, and answers its outputs. */
  task: Task<Input, Output>;
}

export interface ModelTests<Input, Output> {
  /** Asks the model. Matchers that score it on rows take this function, too. */
  ask: Ask<Input, Output>;
}

type AnyInput = string | Readonly<Record<string, unknown>>;

interface Describe {
  <Input extends TaskSchema, Output extends TaskSchema>(
    name: string,
    options: TypedModelOptions<Input, Output>,
    tests: (model: ModelTests<SchemaInput<Input>, SchemaOutput<Output>>) => void,
  ): void;
  (name: string, options: ModelOptions, tests: (model: ModelTests<AnyInput, unknown>) => void): void;
}

export interface DescribeModel extends Describe {
  only: Describe;
  skip: Describe;
}

/** A model may have to be loaded, and a local cloud to be started. */
const TIMEOUT_MS = 5 * 60_000;

/** What tests get is typed by the overloads of `Describe`. */
type AnyTests = (model: { ask: never }) => void;

const describeWith =
  (block: typeof describe | typeof describe.only): Describe =>
  (name: string, options: ModelOptions & { task?: Task }, tests: AnyTests) => {
    // Says what is wrong before anything runs.
    toWord(options);
    const { timeout = TIMEOUT_MS } = options;
    let opened: TestedModel | undefined;
    const read = () => {
      if (opened) return opened;
      throw new Error('Call `ask` in a test or a hook: the model is not ready while tests are collected.');
    };
    const ask = async (question: Question<unknown>, asked?: AskOptions) => askModel(read(), question, asked);
    rememberModel(ask, read);
    block(name, { timeout }, () => {
      beforeAll(async () => {
        opened = await openModel(name, options, process.env);
      }, timeout);
      tests({ ask: ask as never });
    });
  };

/**
 * Tests of what a model answers: `describeModel('triage', { job: 'latest' }, ({ ask }) => { it(…) })`. `svc test --job` lets the
 * same tests ask another model.
 */
export const describeModel: DescribeModel = Object.assign(describeWith(describe), {
  only: describeWith(describe.only),
  skip: describeWith(describe.skip),
});
