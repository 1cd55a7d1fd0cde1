import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  curlCall,
  LANGUAGES,
  libraryBaseUrl,
  OPERATIONS,
  operationUrl,
  quickStart,
} from '../../lib/console/index.js';
import { sampleDeployment } from '../support/samples.js';

const keyed = sampleDeployment({ url: 'https://demo.d.example.com', authMode: 'fixed_api_key' });
const open = sampleDeployment({ ...keyed, authMode: 'none' });
const local = sampleDeployment({
  url: 'http://demo.localhost:4100',
  pathUrl: 'http://localhost:4100/d/demo',
});

it.each([
  [
    'are the full operation for reading and copying, the base for libraries',
    keyed,
    'https://demo.d.example.com',
  ],
  [
    'need no slash at the end',
    { url: 'https://demo.d.example.com/', pathUrl: null },
    'https://demo.d.example.com',
  ],
  [
    'give libraries the path form where they cannot resolve the subdomain',
    local,
    'http://demo.localhost:4100',
  ],
])('the addresses %s', (_, endpoint, base) => {
  expect(operationUrl(endpoint)).toBe(`${base}/v1/chat/completions`);
  expect(libraryBaseUrl(endpoint)).toBe(`${endpoint.pathUrl ?? base}/v1`);
});

describe('the samples', () => {
  it('are those that are committed, in three languages, with a key only where one is needed', async () => {
    expect(LANGUAGES.map(({ label }) => label)).toEqual(['cURL', 'Python', 'JavaScript']);
    expect(OPERATIONS).toEqual(['POST /v1/chat/completions']);
    const all = LANGUAGES.flatMap(({ value, label }) =>
      [keyed, open].map(endpoint => `# ${label}, ${endpoint.authMode}\n${quickStart(value, endpoint)}\n`),
    );
    await expect(all.join('\n')).toMatchFileSnapshot('quick-start.snapshot.txt');
  });

  it.each(['python', 'javascript'] as const)(
    'in %s have the base alone, to which its library appends',
    language => {
      const sample = quickStart(language, local);
      expect(sample).toContain('http://localhost:4100/d/demo/v1');
      expect(sample).not.toMatch(/demo\.localhost|\/chat\/completions/);
    },
  );

  it.each([
    ['of a sample', quickStart('curl', keyed), '<API_KEY>'],
    ['with a key that was just issued', curlCall(keyed, 'svc_live_plain'), 'svc_live_plain'],
    ['with a key, whatever the auth mode', curlCall(open, 'svc_live_plain'), 'svc_live_plain'],
  ])('give the shell one command, whose body is the request: %s', (_, script, key) => {
    const print = script.replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', print], { encoding: 'utf8' }).trim().split('\n');
    const headers = ['-H', `Authorization: Bearer ${key}`, '-H', 'Content-Type: application/json'];
    expect(words.slice(0, -1)).toEqual(['https://demo.d.example.com/v1/chat/completions', ...headers, '-d']);
    expect(JSON.parse(words.at(-1)!)).toMatchObject({ messages: [{ role: 'user' }] });
  });
});
