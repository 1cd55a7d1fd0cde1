import { describe, expect, it } from 'vitest';
import { deploymentInput, isSlug, parseRequest } from '../../lib/contract/index.js';

const target = { kind: 'base_model', baseModel: 'svc/tiny-instruct' };
const accepted = ['ab', '0a', 'a--b', 'a1', '00', 'x'.repeat(50), `a${'-'.repeat(48)}b`];
const refused = [
  '',
  'a',
  'x'.repeat(51),
  '-ab',
  'ab-',
  'Ab',
  'aB',
  'a_b',
  'a.b',
  'é1',
  'ab\n',
  '\nab',
  ' ab',
  'ab ',
  'a b',
  'аb',
];

describe('a slug', () => {
  it.each(accepted)('may be %j', text => {
    expect(isSlug(text)).toBe(true);
    expect(parseRequest(deploymentInput, { slug: text, target })).toMatchObject({ slug: text });
  });

  it.each(refused)('may not be %j', text => {
    expect(isSlug(text)).toBe(false);
    expect(() => parseRequest(deploymentInput, { slug: text, target })).toThrow(
      expect.objectContaining({ status: 400, code: 'slug_invalid', param: 'slug' }),
    );
  });
});
