// Where a cloud listens, the URLs it uses, and which options it refuses.
import { describe, expect, it } from 'vitest';
import { CloudError } from '../../../lib/cloud/cloud-error.js';
import {
  checkExposure,
  chooseAnonymous,
  choosePorts,
  type Exposure,
  isExposed,
  toAddress,
  toLocalUrl,
} from '../../../lib/cloud/host/address.js';

const tls = { cert: 'c', key: 'k' };
const domain = 'c.example';
const everywhere = { host: '0.0.0.0', domain, tls };
const proxied = { domain, behindProxy: true };
const loopback = ['localhost', '127.0.0.1', '[::1]'];

describe('the exposure of a cloud', () => {
  it.each<Exposure>([
    {},
    { host: '127.0.0.1' },
    { host: '::1', tls },
    everywhere,
    { host: '0.0.0.0', domain: 'c.example:8443', behindProxy: true },
    proxied,
    { domain: 'localhost:4100', tls },
    { host: 'LOCALHOST' },
    { ...proxied, host: '127.0.0.2' },
  ])('may be %o', exposure => {
    expect(() => checkExposure(exposure)).not.toThrow();
  });

  it.each<[Exposure, string]>([
    [{ host: '0.0.0.0' }, '--tls-cert'],
    [{ host: '::' }, '--tls-cert'],
    [{ host: '192.168.0.7', domain }, '--behind-proxy'],
    [{ host: 'localhost.evil.com' }, '--tls-cert'],
    [{ host: '0.0.0.0', behindProxy: false }, '--tls-cert'],
    [{ host: '0.0.0.0', tls }, '--domain'],
    [{ host: '127.0.0.2' }, 'use localhost, 127.0.0.1 or ::1'],
    [{ host: '127.0.0.2', domain }, '--tls-cert'],
    [{ domain }, '--tls-cert'],
    [{ domain: 'https://c.example', tls }, 'is not a domain'],
    [{ domain: 'c.example/x', tls }, 'is not a domain'],
    [{ domain: '', tls }, 'is not a domain'],
  ])('must not be %o', (exposure, hint) => {
    expect(() => checkExposure(exposure)).toThrow(CloudError);
    expect(() => checkExposure(exposure)).toThrow(hint);
  });
});

it.each<[Exposure, string]>([
  [{}, 'secret'],
  [{ anonymous: true }, 'secret'],
  [{ anonymous: false }, 'off'],
  [{ domain, tls }, 'secret'],
  [everywhere, 'off'],
  [proxied, 'off'],
  [{ ...everywhere, anonymous: true }, 'open'],
  [{ ...proxied, anonymous: true }, 'open'],
  [{ ...everywhere, anonymous: false }, 'off'],
])('anonymous sign-up of %o is %s', (exposure, wanted) => {
  expect(chooseAnonymous(exposure)).toBe(wanted);
  expect(isExposed(exposure)).toBe(exposure.host === '0.0.0.0' || exposure.behindProxy === true);
});

describe('the URL of a cloud', () => {
  const addressOf = (exposure: Exposure, listening: string) => toAddress(exposure, new URL(listening));

  it('is localhost and the port without a domain', () => {
    const deploymentDomain = 'localhost:4100';
    const address = { url: 'http://localhost:4100', deploymentDomain, names: loopback };
    expect(addressOf({}, 'http://localhost:4100')).toEqual(address);
    expect(addressOf({ tls }, 'https://localhost:4100').url).toBe('https://localhost:4100');
  });

  it.each<[Exposure, string]>([
    [{ host: '127.0.0.1' }, 'http://127.0.0.1:4100'],
    [{ host: '::1' }, 'http://[::1]:4100'],
    [{ host: '::1', tls }, 'https://localhost:4100'],
  ])('of %o is where it listens, unless a certificate names it', (exposure, url) => {
    const listening = 'https://localhost:4100';
    expect(addressOf(exposure, listening)).toMatchObject({ url, deploymentDomain: 'localhost:4100' });
  });

  it.each<[Exposure, string, string]>([
    [{ domain: 'C.Example', tls }, 'https://localhost:4100', 'c.example:4100'],
    [everywhere, 'https://localhost:443', 'c.example'],
    [{ domain: 'c.example:8443', tls }, 'https://localhost:4100', 'c.example:8443'],
    [proxied, 'http://localhost:4100', 'c.example'],
  ])('of %o at %s is https://%s', (exposure, listening, host) => {
    const address = { url: `https://${host}`, deploymentDomain: host, names: [...loopback, domain] };
    expect(addressOf(exposure, listening)).toEqual(address);
  });

  it('has the address of this machine that it listens on among its names', () => {
    const { names } = addressOf({ ...proxied, host: '127.0.0.2' }, 'http://127.0.0.2:4100');
    expect(names).toEqual([...loopback, '127.0.0.2', domain]);
  });

  it.each<[Exposure, listening: string, local: string]>([
    [{}, 'http://localhost:4100', 'http://localhost:4100'],
    [proxied, 'http://localhost:4100', 'http://localhost:4100'],
    [{ ...proxied, host: '0.0.0.0' }, 'http://localhost:4100', 'http://127.0.0.1:4100'],
    [{ ...proxied, host: '::' }, 'http://localhost:4100', 'http://localhost:4100'],
    [{ host: '127.0.0.1' }, 'http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
    [{ ...proxied, host: '127.0.0.2' }, 'http://127.0.0.2:4100', 'http://127.0.0.2:4100'],
    [{ host: '::1' }, 'http://[::1]:4100', 'http://[::1]:4100'],
    [{ ...proxied, host: '10.0.0.1' }, 'http://10.0.0.1:4100', 'https://c.example'],
    [{ domain, tls }, 'https://localhost:4100', 'https://c.example:4100'],
  ])('for local programs bypasses a proxy, but not a certificate: %o', (exposure, listening, local) => {
    expect(toLocalUrl(exposure, addressOf(exposure, listening), new URL(listening))).toBe(local);
  });
});

it.each<[options: Parameters<typeof choosePorts>[0], ports: number[]]>([
  [{}, [4100, 4101, 4102]],
  [{ first: 5000 }, [5000, 5001]],
  [{ former: [4105], first: 5000 }, [4105, 5000]],
  [{ former: [4101, 4101] }, [4101, 4100, 4102]],
  [{ former: [4103, 4101] }, [4103, 4101, 4100, 4102]],
  [{ first: 5059 }, [5059, 5062]],
])(
  'the port is the last one used, then the next free ones from 4100 or SVC_CLOUD_PORT: %o',
  (options, ports) => {
    expect(choosePorts(options).slice(0, ports.length)).toEqual(ports);
  },
);

it('the port is only the requested one if given, or where there are no more', () => {
  expect(choosePorts({ port: 7000, former: [4105], first: 5000 })).toEqual([7000]);
  expect(choosePorts({ first: 65_535 })).toEqual([65_535]);
});
