import { describe, expect, it } from 'vitest';
import { settingRows, variedSettings } from '../../lib/console/index.js';

const config = { model: 'tiny', loraR: 16, learningRate: 1e-3, targetModules: ['q_proj', 'v_proj'], seed: 0 };

describe('the settings in which runs differ', () => {
  it('are those with more than one value, with the value of each run', () => {
    const jobs = [
      { config },
      { config: { ...config, learningRate: 2e-3 } },
      { config: { ...config, loraR: 8 } },
    ];
    expect(variedSettings(jobs)).toEqual([
      { name: 'loraR', values: ['16', '16', '8'] },
      { name: 'learningRate', values: ['0.001', '0.002', '0.001'] },
    ]);
  });

  it('are none for one run, for equal runs, and for no runs', () => {
    expect(variedSettings([{ config }])).toEqual([]);
    expect(variedSettings([{ config }, { config: { ...config } }])).toEqual([]);
    expect(variedSettings([])).toEqual([]);
  });

  it('include a setting that only some of the runs have', () => {
    const jobs = [
      { config },
      { config: { ...config, evalFraction: 0.1 } },
      { config: { ...config, seed: null } },
    ];
    expect(variedSettings(jobs)).toEqual([
      { name: 'seed', values: ['0', '0', null] },
      { name: 'evalFraction', values: [null, '0.1', null] },
    ]);
  });

  it('ignore a run whose settings are not known', () => {
    const jobs = [{ config: null }, { config }, { config: { ...config, seed: 7 } }];
    expect(variedSettings(jobs)).toEqual([{ name: 'seed', values: [null, '0', '7'] }]);
    expect(variedSettings([{}, { config }])).toEqual([]);
  });

  it('name uploaded files, unless different ones have the same name', () => {
    const job = (datasetId: string, name: string) => ({
      config: { datasetSource: { type: 'upload', datasetId } },
      fileNames: { [datasetId]: name },
    });
    const valuesOf = (...names: [string, string]) =>
      variedSettings([job('1c5b', names[0]), job('2d6c', names[1])])[0]?.values;
    expect(valuesOf('a.jsonl', 'b.jsonl')).toEqual(['upload a.jsonl', 'upload b.jsonl']);
    expect(valuesOf('a.jsonl', 'a.jsonl')).toEqual(['upload 1c5b', 'upload 2d6c']);
  });

  it('stand in the order and the words of the settings of a run, those that a run chose first', () => {
    const first = { config, customSettings: [] };
    const second = {
      config: { ...config, loraR: 8, targetModules: ['q_proj'], seed: 3 },
      customSettings: ['targetModules'],
    };
    const varied = variedSettings([first, second]);
    expect(varied.map(({ name }) => name)).toEqual(['targetModules', 'loraR', 'seed']);
    const words = settingRows(first).find(({ name }) => name === 'targetModules')!.value;
    expect(varied[0]!.values).toEqual([words, 'q_proj']);
  });
});
