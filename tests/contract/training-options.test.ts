// The tables of training options: what their comments say is what they hold, and what Python reads is in them.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  dpoOptions,
  grpoOptions,
  loraOptions,
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

/** It refuses the distribution of a teacher, and a schema. */
const REFUSED_BY_PYTHON = { options: ['softWeight'], rewards: ['schema'] };

it('the engine of Python reads every option, by the name that the document of a run has', async () => {
  const source = await read('ray/svc_ray/torch_engine/options.py');
  const fieldsOf = (name: string) => {
    const [, fields = ''] = source.split(`class ${name}:\n`);
    return [...fields.split('\n\n\n')[0]!.matchAll(/^ {4}(\w+): /gm)].map(([, field]) =>
      field!.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
  };
  const { options: refused, rewards } = REFUSED_BY_PYTHON;
  expect(new Set([...fieldsOf('Options'), ...refused])).toEqual(
    new Set(Object.keys(toRunOptions(TRAINING_DEFAULTS))),
  );
  expect(new Set([...fieldsOf('RewardMethod'), ...rewards])).toEqual(new Set(Object.keys(grpoOptions)));
});

it('the document of a run whose job was stored before an option existed has its default', () => {
  const { weightDecay: _, ...stored } = TRAINING_DEFAULTS;
  expect(toRunOptions(stored as typeof TRAINING_DEFAULTS)).toEqual(toRunOptions(TRAINING_DEFAULTS));
});
