import { describe, expect, it } from 'vitest';
import type { CloudAddress } from '../../../lib/cloud/deps.js';
import { readEdgeAddress } from '../../../lib/cloud/edge/address.js';
import { localAddress } from '../deployments/sample-cloud.js';

const publicAddress: CloudAddress = {
  url: 'https://d.example.com',
  deploymentDomain: 'd.example.com',
  names: ['localhost', 'd.example.com', 'api.d.example.com'],
};

const read = (host: string, path: string, address = localAddress, headers = {}) =>
  readEdgeAddress(new Request(`http://localhost:4100${path}`, { headers: { host, ...headers } }), address);

describe('a request to a subdomain of the deployment domain', () => {
  it('addresses that deployment, whatever the port and case', () => {
    const address = { slug: 'demo', path: '/v1/chat/completions' };
    for (const host of ['demo.localhost', 'demo.localhost:4100', 'Demo.LOCALHOST:9', 'demo.localhost:'])
      expect(read(host, '/v1/chat/completions')).toEqual(address);
    expect(read('demo.d.example.com', '/x?y', publicAddress)).toEqual({ slug: 'demo', path: '/x' });
  });

  it('is recognized by the Host header, not by forwarding headers or the request URL', () => {
    const forwarded = { 'x-forwarded-host': 'demo.localhost', forwarded: 'host=demo.localhost' };
    expect(read('localhost:4100', '/v1/chat/completions', localAddress, forwarded)).toBeNull();
    const absolute = new Request('http://demo.localhost:4100/', { headers: { host: 'localhost' } });
    expect(readEdgeAddress(absolute, localAddress)).toBeNull();
  });

  it('has exactly one label, which is not the one of the API', () => {
    for (const host of [
      'a.demo.localhost',
      '.localhost',
      'localhost',
      'demo.example.com',
      'demolocalhost',
      '',
    ])
      expect(read(host, '/v1/chat/completions')).toBeNull();
    expect(read('api.d.example.com', '/', publicAddress)).toBeNull();
  });
});

describe('a request to /d/SLUG', () => {
  it('addresses that deployment on loopback hosts', () => {
    for (const host of ['localhost:4100', '127.0.0.1:4100', '[::1]:4100'])
      expect(read(host, '/d/demo/v1/chat/completions?x')).toEqual({
        slug: 'demo',
        path: '/v1/chat/completions',
      });
    expect(read('localhost', '/d/demo')).toEqual({ slug: 'demo', path: '' });
    expect(read('localhost', '/d/demo//v1')).toEqual({ slug: 'demo', path: '//v1' });
  });

  it('addresses no deployment on other hosts or paths', () => {
    expect(read('evil.example', '/d/demo/v1/chat/completions')).toBeNull();
    expect(read('d.example.com', '/d/demo/v1/chat/completions', publicAddress)).toBeNull();
    expect(read('localhost', '/v1/d/demo')).toBeNull();
    expect(read('localhost', '/d')).toBeNull();
    expect(read('localhost', '/d/demo/../../v1/jobs')).toBeNull();
  });

  it('is an ordinary path on a subdomain', () => {
    expect(read('demo.localhost', '/d/other/v1')).toEqual({ slug: 'demo', path: '/d/other/v1' });
  });
});
