// Settings of a trainer as texts, as a command line has them.
import { describe, expect, it } from 'vitest';
import { readSetting, SETTING_NAMES, type TrainerOptions, withSettings } from '../../lib/sdk/index.js';

const options: TrainerOptions = {
  name: 'triage',
  dataset: { type: 'file', path: 'rows.jsonl' },
  learningRate: 2e-3,
  lora: { r: 16, alpha: 32 },
};

describe('a setting', () => {
  it.each([
    ['learningRate', '1e-3', 0.001],
    ['lora.r', ' 8', 8],
    ['trainOnResponsesOnly', 'false', false],
    ['lrScheduler', 'cosine', 'cosine'],
    ['model', '7', '7'],
    ['lora.targetModules', 'q_proj,v_proj', 'q_proj,v_proj'],
  ])('%s reads %j as %j', (name, text, value) => {
    expect(readSetting(name, text)).toBe(value);
  });

  it.each([
    ['learningRate', 'fast', '`learningRate` must be a number, not "fast".'],
    ['learningRate', '', '`learningRate` must be a number, not "".'],
    ['lora.r', 'Infinity', '`lora.r` must be a number, not "Infinity".'],
    ['dryRun', '1', '`dryRun` must be true or false, not "1".'],
    ['lernRate', '1', 'There is no setting `lernRate`.'],
    ['toString', '1', 'There is no setting `toString`.'],
    ['name', 'x', 'There is no setting `name`.'],
  ])('%s refuses %j by its name', (name, text, message) => {
    expect(() => readSetting(name, text)).toThrow(message);
  });

  it('has a value that a job accepts, for every name', () => {
    const trial: Record<string, string> = {
      'lora.targetModules': 'q_proj',
      'method.type': 'dpo',
      tooLong: 'skip',
      lrScheduler: 'cosine',
      engine: 'node',
      evalFraction: '0.5',
      'method.labelSmoothing': '0.1',
      'lora.dropout': '0.1',
      trainOnResponsesOnly: 'true',
      dryRun: 'true',
      bestBy: 'right',
    };
    const values = SETTING_NAMES.map(name => [name, readSetting(name, trial[name] ?? '1')] as const);
    const scored = { ...options, evals: { right: async () => 1 } };
    expect(() => withSettings(scored, Object.fromEntries(values))).not.toThrow();
  });
});

describe('options with settings', () => {
  it('change what was set and nothing else', () => {
    const changed = withSettings(options, {
      learningRate: 0.001,
      'lora.r': 8,
      'lora.targetModules': 'q_proj, v_proj',
      'resources.gpus': 1,
    });
    expect(changed).toEqual({
      ...options,
      learningRate: 0.001,
      lora: { r: 8, alpha: 32, targetModules: ['q_proj', 'v_proj'] },
      resources: { gpus: 1 },
    });
    expect(options.lora).toEqual({ r: 16, alpha: 32 });
  });

  it.each([
    [{ 'lora.r': 0 }, '`lora.r` must be at least 1.'],
    [{ learningRate: -1 }, '`learningRate` must be more than 0.'],
    [{ lrScheduler: 'steep' }, '`lrScheduler` must be one of `linear`'],
    [{ 'lora.targetModules': 'head' }, '`lora.targetModules[0]` must be one of'],
  ])('refuse %j by the name of the option', (settings, message) => {
    expect(() => withSettings(options, settings)).toThrow(message);
  });
});
