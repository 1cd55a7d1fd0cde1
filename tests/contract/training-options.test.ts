// The tables of training options: what their comments say is what they hold, and what Python reads is in them.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  choosesOwnEngine,
  dpoOptions,
  grpoOptions,
  jobConfigInput,
  loraOptions,
  optionsByField,
  TRAINING_DEFAULTS,
  toRunOptions,
  trainingOptions,
} from '../../lib/contract/index.js';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

const options = Object.entries({ ...dpoOptions, ...loraOptions, ...trainingOptions }).map(
  ([name, option]) => ({
    name,
    schema: option.schema as z.ZodMiniType,
    default: 'default' in option ? option.default : undefined,
  }),
);

it.each(options)('$name is explained, and its default is allowed and named', async option => {
  const source = await read('lib/contract/job/training-options.ts');
  const comment = source.match(new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${option.name}: {`))?.[1];
  expect(comment).toBeDefined();
  if (option.default === undefined) return;
  expect(z.parse(option.schema, option.default)).toEqual(option.default);
  const named = comment!.match(/Default: `?([\w.-]+?)`?[.,]?(?:\s|$)/)?.[1];
  expect(named).toBe(option.name === 'targetModules' ? 'all' : toText(option.default));
});

const toText = (value: unknown) => (value === 2e-4 ? '2e-4' : String(value));

interface Option {
  schema: z.ZodMiniType;
  default?: unknown;
  notInTorch?: string;
}

/** Those that PyTorch does not have, by name. */
const notInTorch = (options: Iterable<[string, Option]>) =>
  [...options].filter(([, option]) => option.notInTorch !== undefined);

it('the engine of Python reads every option that PyTorch has, by the name that the document of a run has', async () => {
  const source = await read('ray/svc_ray/torch_engine/options.py');
  const fieldsOf = (name: string) => {
    const [, fields = ''] = source.split(`class ${name}:\n`);
    return [...fields.split('\n\n\n')[0]!.matchAll(/^ {4}(\w+): /gm)].map(([, field]) =>
      field!.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
  };
  const without = (names: string[], options: Iterable<[string, Option]>) => {
    const missing = new Map(notInTorch(options));
    return new Set(names.filter(name => !missing.has(name)));
  };
  const names = Object.keys(toRunOptions(TRAINING_DEFAULTS));
  expect(new Set(fieldsOf('Options'))).toEqual(without(names, optionsByField));
  const ofMethod = (options: Record<string, Option>) =>
    without(Object.keys(options), Object.entries(options));
  expect(new Set(fieldsOf('RewardMethod'))).toEqual(ofMethod(grpoOptions));
  expect(new Set(fieldsOf('PreferenceMethod'))).toEqual(ofMethod(dpoOptions));
});

describe('what PyTorch does not have', () => {
  const grpo = (own: object) => ({ method: { type: 'grpo', reward: { type: 'function' }, ...own } });
  /** One that an option allows, and not its default. */
  const otherValue = ({ schema, default: usual }: Option) =>
    [true, 1, 0.5, {}, 'a', ['a']].find(value => value !== usual && z.safeParse(schema, value).success);
  const choices: [name: string, chosen: object, usual: object][] = [
    ...notInTorch(optionsByField).map(([name, option]): [string, object, object] => [
      `\`${name}\``,
      { [name]: otherValue(option) },
      { [name]: option.default ?? false },
    ]),
    ...notInTorch(Object.entries(grpoOptions)).map(([name, option]): [string, object, object] => [
      `the method grpo's \`${name}\``,
      grpo({ [name]: otherValue(option) }),
      grpo({}),
    ]),
  ];
  /** What a request for PyTorch is told of its engine. */
  const faultsOf = (chosen: object) => {
    const config = { model: 'm', datasetSource: { type: 'upload', datasetId: 'd' }, engine: 'torch' };
    const { error } = jobConfigInput.safeParse({ ...config, ...chosen });
    return (error?.issues ?? []).filter(({ path }) => path[0] === 'engine').map(({ message }) => message);
  };

  it.each(choices)("%s has svc's own engine, and is refused for PyTorch", (name, chosen, usual) => {
    expect(choosesOwnEngine(chosen)).toBe(true);
    expect(faultsOf(chosen)).toEqual([expect.stringContaining(`must be node with ${name}; torch `)]);
    expect([choosesOwnEngine(usual), choosesOwnEngine({}), faultsOf(usual)]).toEqual([false, false, []]);
  });

  it.each([[{ engine: 'node' }], ...choices.map(([, chosen]) => [chosen])])(
    'is not trained by several workers: %j',
    chosen => {
      const workers = (count: number, own: object) => {
        const config = { model: 'm', datasetSource: { type: 'upload', datasetId: 'd' }, ...own };
        const { error } = jobConfigInput.safeParse({ ...config, resources: { workers: count } });
        return (error?.issues ?? []).filter(({ path }) => path.join('.') === 'resources.workers').length;
      };
      expect([workers(2, chosen) > 0, workers(1, chosen), workers(2, {})]).toEqual([true, 0, 0]);
    },
  );
});

it('the document of a run whose job was stored before an option existed has its default', () => {
  const { weightDecay: _, ...stored } = TRAINING_DEFAULTS;
  expect(toRunOptions(stored as typeof TRAINING_DEFAULTS)).toEqual(toRunOptions(TRAINING_DEFAULTS));
});
