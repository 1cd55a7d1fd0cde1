import { describe, expect, it } from 'vitest';
import { cloudDeploymentPatch, parseRequest } from '../../lib/contract/index.js';

const read = (...corsOrigins: string[]) => parseRequest(cloudDeploymentPatch, { corsOrigins }).corsOrigins;

describe('an origin', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['HTTPS://App.Example.COM:443', 'https://app.example.com'],
    ['https://app.example.com:8443', 'https://app.example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://192.168.1.5', 'https://192.168.1.5'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://localhost:80', 'http://localhost'],
    ['http://app.localhost:3000', 'http://app.localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is what browsers send as %s', (given, sent) => {
    expect(read(given)).toEqual([sent]);
  });

  it.each([
    '*',
    'null',
    '',
    'app.example.com',
    'https://',
    'https://*',
    'https://*.example.com',
    'https://app.example.com/',
    'https://app.example.com/chat',
    'https://app.example.com?a',
    'https://app.example.com#a',
    'https://user@app.example.com',
    'https://app.example.com:99999',
    'https://app.example.com:',
    'https://app.exa mple.com',
    'https://app.example.com\n',
    'https://%61pp.example.com',
    'http://app.example.com',
    'http://192.168.1.5:3000',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'ftp://localhost',
    'chrome-extension://abcdef',
    'file://',
    `https://${'a.'.repeat(150)}com`,
  ])('is not %j, and the error quotes it', text => {
    const quoted = text.length > 80 ? text.slice(0, 80) : text;
    expect(() => read('https://app.example.com', text)).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        param: 'corsOrigins[1]',
        message: expect.stringContaining(`not \`${quoted}`),
      }),
    );
  });

  it('is one of twenty at most', () => {
    const all = Array.from({ length: 20 }, (_, i) => `https://${i}.example.com`);
    expect(read(...all)).toHaveLength(20);
    expect(() => read(...all, 'https://more.example.com')).toThrow('at most 20');
  });
});
