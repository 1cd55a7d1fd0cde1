// The options that a cloud keeps: what lasts of a command line, and what another one makes of it.
import { describe, expect, it } from 'vitest';
import {
  changeOptions,
  isSameOptions,
  parseLasting,
  toLasting,
  toWords,
} from '../../cli/commands/cloud/lasting-options.js';
import { cloudCommands } from '../../cli/commands/tables/cloud.js';

const { options: table } = cloudCommands.find(({ name }) => name === 'cloud start')!;

describe('the options of svc cloud start', () => {
  it('last, but for those that are about one start', () => {
    const typed = {
      data: 'd',
      foreground: true,
      json: true,
      reset: true,
      concurrency: '2',
      'no-anonymous': true,
    };
    expect(toLasting(typed, '/here')).toEqual({ concurrency: '2', 'no-anonymous': true });
  });

  it('mean the same wherever one stands', () => {
    const typed = { 'base-model': './models/tiny', 'tls-cert': 'c.pem', 'tls-key': '/k.pem', host: '::1' };
    const lasting = toLasting(typed, '/here');
    expect(lasting).toEqual({
      'base-model': '/here/models/tiny',
      'tls-cert': '/here/c.pem',
      'tls-key': '/k.pem',
      host: '::1',
    });
    expect(toLasting({ 'base-model': 'acme/tiny' }, '/here')).toEqual({ 'base-model': 'acme/tiny' });
    expect(toLasting(lasting, '/elsewhere')).toEqual(lasting);
  });

  it('are changed by those that are typed later, and the others stay', () => {
    const former = { 'base-model': '/m', concurrency: '2', 'no-anonymous': true } as const;
    expect(changeOptions(former, {})).toEqual(former);
    expect(changeOptions(former, { concurrency: '3' })).toEqual({ ...former, concurrency: '3' });
    expect(changeOptions(former, { anonymous: true })).toEqual({
      'base-model': '/m',
      concurrency: '2',
      anonymous: true,
    });
  });

  it('are told from others whatever their order', () => {
    expect(isSameOptions({ a: '1', b: true }, { b: true, a: '1' })).toBe(true);
    for (const other of [{}, { a: '2' }, { a: '1', b: true as const }])
      expect(isSameOptions({ a: '1' }, other)).toBe(false);
  });

  it('are shown as they are typed', () => {
    expect(toWords({ 'base-model': '/m', 'no-anonymous': true })).toEqual([
      '--base-model=/m',
      '--no-anonymous',
    ]);
  });

  it('are read again only as the command knows them', () => {
    const good = { 'base-model': '/m', 'no-anonymous': true };
    expect(parseLasting(good, table)).toEqual(good);
    for (const bad of [
      null,
      [],
      'x',
      { color: 'red' },
      { concurrency: 2 },
      { anonymous: false },
      { host: true },
      { toString: 'x' },
      { json: true },
      { data: '/d' },
    ])
      expect(parseLasting(bad, table)).toBeNull();
  });
});
