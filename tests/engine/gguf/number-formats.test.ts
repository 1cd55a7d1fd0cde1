import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findFormat } from '../../../lib/engine/gguf/number-formats.js';

type Golden = Record<string, { type: number; blocks: string; values: string }>;

const path = new URL('../../golden/gguf/number-formats.json', import.meta.url);
const golden = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Golden);

it.each(golden)("%s has the values that the format's own package computes", (name, expected) => {
  const format = findFormat(expected.type);
  expect(format.name).toBe(name);
  const blocks = Buffer.from(expected.blocks, 'base64');
  const wanted = new Float32Array(new Uint8Array(Buffer.from(expected.values, 'base64')).buffer);
  const values = new Float32Array((blocks.length / format.bytes) * format.values);
  format.decode!(blocks, values);
  expect(values.length).toBe(wanted.length);
  expect(values.findIndex((value, i) => value !== wanted[i])).toBe(-1);
});
