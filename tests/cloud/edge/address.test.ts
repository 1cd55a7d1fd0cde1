import { expect, it } from 'vitest';
import type { CloudAddress } from '../../../lib/cloud/deps.js';
import { readEdgeAddress } from '../../../lib/cloud/edge/create-edge.js';
import { localAddress } from '../deployments/sample-cloud.js';

const publicAddress: CloudAddress = {
  url: 'https://d.example.com',
  deploymentDomain: 'd.example.com',
  names: ['localhost', 'd.example.com', 'api.d.example.com'],
};

const read = (host: string, path: string, address = localAddress, headers = {}) =>
  readEdgeAddress(new Request(`http://localhost:4100${path}`, { headers: { host, ...headers } }), address);

it.each(['demo.localhost', 'demo.localhost:4100', 'Demo.LOCALHOST:9', 'demo.localhost:'])(
  'a request to the subdomain %s addresses that deployment, unless its path addresses another one',
  host => {
    expect(read(host, '/v1/models?x')).toEqual({ slug: 'demo', base: '', path: '/v1/models' });
    expect(read(host, '/d/other/v1')).toEqual({ slug: 'other', base: '/d/other', path: '/v1' });
  },
);

it('on a public domain, a path has no say', () => {
  const path = '/d/other/v1';
  expect(read('demo.d.example.com', path, publicAddress)).toEqual({ slug: 'demo', base: '', path });
});

it('a subdomain is known by the Host header, not by forwarding headers or the request URL', () => {
  expect(read('demo.d.example.com', '/x?y', publicAddress)).toEqual({ slug: 'demo', base: '', path: '/x' });
  const forwarded = { 'x-forwarded-host': 'demo.localhost', forwarded: 'host=demo.localhost' };
  expect(read('localhost:4100', '/v1/models', localAddress, forwarded)).toBeNull();
  const absolute = new Request('http://demo.localhost:4100/', { headers: { host: 'localhost' } });
  expect(readEdgeAddress(absolute, localAddress)).toBeNull();
});

it.each(['a.demo.localhost', '.localhost', 'localhost', 'demo.example.com', 'demolocalhost', ''])(
  'the host %j, which has not exactly one label before the domain, addresses none',
  host => {
    expect(read(host, '/v1/models')).toBeNull();
  },
);

it.each<[path: string, slug: string, rest: string]>([
  ['/d/demo/v1/models?x', 'demo', '/v1/models'],
  ['/d/demo', 'demo', ''],
  ['/d/demo//v1', 'demo', '//v1'],
])('on this machine %s addresses %s', (path, slug, rest) => {
  for (const host of ['localhost:4100', '127.0.0.1:4100', '[::1]:4100'])
    expect(read(host, path)).toEqual({ slug, base: `/d/${slug}`, path: rest });
});

it('no other paths or hosts address one, nor the label of the API', () => {
  for (const path of ['/v1/d/demo', '/d', '/d/demo/../../v1/jobs'])
    expect(read('localhost', path)).toBeNull();
  expect(read('evil.example', '/d/demo/v1/models')).toBeNull();
  expect(read('d.example.com', '/d/demo/v1/models', publicAddress)).toBeNull();
  expect(read('api.d.example.com', '/', publicAddress)).toBeNull();
});
