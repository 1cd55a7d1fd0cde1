// Where a cloud listens, the URLs it uses, and which options it refuses.
import { describe, expect, it } from 'vitest';
import {
  checkExposure,
  chooseAnonymous,
  choosePorts,
  type Exposure,
  ExposureError,
  isExposed,
  toAddress,
  toLocalUrl,
} from '../../../lib/cloud/serve/address.js';

const tls = { cert: 'c', key: 'k' };
const loopback = ['localhost', '127.0.0.1', '[::1]'];

describe('the exposure of a cloud', () => {
  const safe: Exposure[] = [
    {},
    { host: '127.0.0.1' },
    { host: '::1', tls },
    { host: '0.0.0.0', domain: 'c.example', tls },
    { host: '0.0.0.0', domain: 'c.example:8443', behindProxy: true },
    { domain: 'c.example', behindProxy: true },
    { domain: 'localhost:4100', tls },
  ];
  it.each(safe)('may be %o', exposure => {
    expect(() => checkExposure(exposure)).not.toThrow();
  });

  const unsafe: [Exposure, string][] = [
    [{ host: '0.0.0.0' }, '--tls-cert'],
    [{ host: '::' }, '--tls-cert'],
    [{ host: '192.168.0.7', domain: 'c.example' }, '--behind-proxy'],
    [{ host: 'localhost.evil.com' }, '--tls-cert'],
    [{ host: '0.0.0.0', behindProxy: false }, '--tls-cert'],
    [{ host: '0.0.0.0', tls }, '--domain'],
    [{ domain: 'c.example' }, '--tls-cert'],
    [{ domain: 'https://c.example', tls }, 'is not a domain'],
    [{ domain: 'c.example/x', tls }, 'is not a domain'],
    [{ domain: '', tls }, 'is not a domain'],
  ];
  it.each(unsafe)('must not be %o', (exposure, hint) => {
    expect(() => checkExposure(exposure)).toThrow(ExposureError);
    expect(() => checkExposure(exposure)).toThrow(hint);
  });
});

describe('anonymous sign-up', () => {
  it.each<[Exposure, string]>([
    [{}, 'secret'],
    [{ anonymous: true }, 'secret'],
    [{ anonymous: false }, 'off'],
    [{ domain: 'c.example', tls }, 'secret'],
    [{ host: '0.0.0.0', domain: 'c.example', tls }, 'off'],
    [{ domain: 'c.example', behindProxy: true }, 'off'],
    [{ host: '0.0.0.0', domain: 'c.example', tls, anonymous: true }, 'open'],
    [{ domain: 'c.example', behindProxy: true, anonymous: true }, 'open'],
    [{ host: '0.0.0.0', domain: 'c.example', tls, anonymous: false }, 'off'],
  ])('of %o is %s', (exposure, wanted) => {
    expect(chooseAnonymous(exposure)).toBe(wanted);
    expect(isExposed(exposure)).toBe(exposure.host === '0.0.0.0' || exposure.behindProxy === true);
  });
});

describe('the URL of a cloud', () => {
  const addressOf = (exposure: Exposure, listening: string) => toAddress(exposure, new URL(listening));

  it('is localhost and the port without a domain', () => {
    expect(addressOf({}, 'http://localhost:4100')).toEqual({
      url: 'http://localhost:4100',
      deploymentDomain: 'localhost:4100',
      names: loopback,
    });
    expect(addressOf({ tls }, 'https://localhost:4100').url).toBe('https://localhost:4100');
  });

  it.each<[Exposure, string, string]>([
    [{ domain: 'C.Example', tls }, 'https://localhost:4100', 'c.example:4100'],
    [{ domain: 'c.example', tls, host: '0.0.0.0' }, 'https://localhost:443', 'c.example'],
    [{ domain: 'c.example:8443', tls }, 'https://localhost:4100', 'c.example:8443'],
    [{ domain: 'c.example', behindProxy: true }, 'http://localhost:4100', 'c.example'],
  ])('of %o at %s is https://%s', (exposure, listening, host) => {
    expect(addressOf(exposure, listening)).toEqual({
      url: `https://${host}`,
      deploymentDomain: host,
      names: [...loopback, 'c.example'],
    });
  });

  it('for local programs bypasses a proxy, but not a certificate', () => {
    const urlOf = (exposure: Exposure, listening: string) =>
      toLocalUrl(exposure, addressOf(exposure, listening), new URL(listening));
    expect(urlOf({}, 'http://localhost:4100')).toBe('http://localhost:4100');
    const proxied = { domain: 'c.example', behindProxy: true };
    expect(urlOf(proxied, 'http://localhost:4100')).toBe('http://localhost:4100');
    expect(urlOf({ ...proxied, host: '0.0.0.0' }, 'http://localhost:4100')).toBe('http://localhost:4100');
    expect(urlOf({ ...proxied, host: '10.0.0.1' }, 'http://10.0.0.1:4100')).toBe('https://c.example');
    expect(urlOf({ domain: 'c.example', tls }, 'https://localhost:4100')).toBe('https://c.example:4100');
  });
});

describe('the port', () => {
  it('is the last one used, then the next free ones from 4100 or SVC_CLOUD_PORT', () => {
    expect(choosePorts({}).slice(0, 3)).toEqual([4100, 4101, 4102]);
    expect(choosePorts({ first: 5000 }).slice(0, 2)).toEqual([5000, 5001]);
    expect(choosePorts({ former: 4105, first: 5000 }).slice(0, 2)).toEqual([4105, 5000]);
    expect(choosePorts({ former: 4101 }).slice(0, 3)).toEqual([4101, 4100, 4102]);
    expect(choosePorts({ first: 65_535 })).toEqual([65_535]);
    expect(choosePorts({ first: 5059 }).slice(0, 2)).toEqual([5059, 5062]);
  });

  it('is only the requested one if given', () => {
    expect(choosePorts({ port: 7000, former: 4105, first: 5000 })).toEqual([7000]);
  });
});
