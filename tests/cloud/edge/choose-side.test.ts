import { expect, it } from 'vitest';
import { chooseSide } from '../../../lib/cloud/edge/canary.js';

const target = { kind: 'base_model', baseModel: 'm' } as const;
const since = '2026-03-01T10:00:00.000Z';

const choose = (
  body: object,
  { share = 0.25, headers = {}, random = () => 0.5, deploymentId = 'a' }: Partial<Given> = {},
) =>
  chooseSide({ deploymentId, canary: { target, share, since }, headers: new Headers(headers), body, random });

interface Given {
  share: number;
  headers: Record<string, string>;
  random: () => number;
  deploymentId: string;
}

it.each([
  [0, 'canary'],
  [0.249, 'canary'],
  [0.25, 'stable'],
  [0.999, 'stable'],
])('a request that names nobody is drawn: %s of a share of 0.25 is %s', (drawn, side) => {
  expect(choose({}, { random: () => drawn })).toBe(side);
});

it.each([
  ['user', (id: string) => [{ user: id }] as const],
  ['safety_identifier', (id: string) => [{ safety_identifier: id }] as const],
  ['metadata.user_id', (id: string) => [{ metadata: { user_id: id } }] as const],
  ['svc-session', (id: string) => [{ user: 'x' }, { headers: { 'svc-session': id } }] as const],
])('one that names itself in %s stays where it is, and a larger share only adds to the canary', (_, name) => {
  const people = Array.from({ length: 2000 }, (_, index) => `person ${index}`);
  const random = () => {
    throw new Error('Nobody is drawn.');
  };
  const inCanary = (share: number) =>
    people.filter(person => {
      const [body, more] = name(person);
      return choose(body, { ...more, share, random }) === 'canary';
    });
  const [few, many] = [inCanary(0.1), inCanary(0.3)];
  expect(few.every(person => many.includes(person))).toBe(true);
  expect(few.length / people.length).toBeCloseTo(0.1, 1);
  expect(many.length / people.length).toBeCloseTo(0.3, 1);
  expect(inCanary(0.1)).toEqual(few);
});

it('the same people are not the first of every endpoint', () => {
  const people = Array.from({ length: 100 }, (_, index) => ({ user: `person ${index}` }));
  const of = (deploymentId: string) => people.map(body => choose(body, { deploymentId }));
  expect(of('a')).not.toEqual(of('b'));
});

it('a request may ask for a target, and for nothing else', () => {
  const asking = (wanted: string) =>
    choose({ user: 'x' }, { headers: { 'svc-target': wanted }, share: 1e-9, random: () => 0 });
  expect(['canary', 'stable', 'else'].map(asking)).toEqual(['canary', 'stable', 'stable']);
});
