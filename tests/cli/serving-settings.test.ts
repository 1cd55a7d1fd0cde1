// Who answers chats, as the options of "svc cloud start" say it.
import { expect, it } from 'vitest';
import { readRayServe, readVllm } from '../../cli/commands/cloud/serving-settings.js';

const SERVE = { 'ray-serve': 'http://head:8000' };

it('is this machine unless a Ray Serve is named', () => {
  expect(readRayServe({})).toBeUndefined();
  expect(readRayServe(SERVE)).toEqual({ url: 'http://head:8000', replicas: { min: 1, max: 4 }, cpus: 1 });
});

it.each([
  ['2..8', { min: 2, max: 8 }],
  ['0..1', { min: 0, max: 1 }],
  ['3', { min: 3, max: 3 }],
])('is as many replicas as %s says', (text, replicas) => {
  expect(readRayServe({ ...SERVE, 'ray-replicas': text })).toMatchObject({ replicas });
});

it('has the CPUs of each replica', () => {
  expect(readRayServe({ ...SERVE, 'ray-replica-cpus': '0.5' })).toMatchObject({ cpus: 0.5 });
});

it.each(['', '0', '0..0', '4..2', '..3', '-1', 'many', '1..2000', '1...2'])('refuses %j replicas', text => {
  expect(() => readRayServe({ ...SERVE, 'ray-replicas': text })).toThrow(/--ray-replicas must be/);
});

it.each(['', '0', '-1', 'x', '1e9'])('refuses %j CPUs', text => {
  expect(() => readRayServe({ ...SERVE, 'ray-replica-cpus': text })).toThrow(/--ray-replica-cpus must be/);
});

it.each(['', 'head:8000', 'ftp://head'])('refuses the address %j', url => {
  expect(() => readRayServe({ 'ray-serve': url })).toThrow(/--ray-serve must be/);
});

it('refuses what is only for replicas without them', () => {
  for (const name of ['ray-replicas', 'ray-replica-cpus'])
    expect(() => readRayServe({ [name]: '2' })).toThrow(`--${name} can only be used with --ray-serve.`);
});

it('is a vLLM if one is named, and never both', () => {
  expect(readVllm({})).toBeUndefined();
  expect(readVllm({ vllm: 'http://localhost:8000' })).toMatchObject({ url: 'http://localhost:8000' });
  expect(() => readVllm({ vllm: 'localhost:8000' })).toThrow(/--vllm must be/);
  expect(() => readVllm({ 'vllm-token-file': 'key' })).toThrow(/only be used with --vllm/);
  expect(() => readVllm({ ...SERVE, vllm: 'http://localhost:8000' })).toThrow(/cannot be combined/);
});
