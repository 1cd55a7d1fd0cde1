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

describe('the addresses', () => {
  it('are the full operation for reading and copying, and the base for libraries', () => {
    expect(operationUrl(keyed)).toBe('https://demo.d.example.com/v1/chat/completions');
    expect(libraryBaseUrl(keyed)).toBe('https://demo.d.example.com/v1');
    expect(operationUrl({ url: 'https://demo.d.example.com/' })).toBe(
      'https://demo.d.example.com/v1/chat/completions',
    );
  });

  it('give libraries the path form where they cannot resolve the subdomain', () => {
    expect(operationUrl(local)).toBe('http://demo.localhost:4100/v1/chat/completions');
    expect(libraryBaseUrl(local)).toBe('http://localhost:4100/d/demo/v1');
    expect(quickStart('curl', local)).toContain('http://demo.localhost:4100/v1/chat/completions');
    for (const language of ['python', 'javascript'] as const) {
      expect(quickStart(language, local)).toContain('http://localhost:4100/d/demo/v1');
      expect(quickStart(language, local)).not.toContain('demo.localhost');
    }
  });
});

describe('the samples', () => {
  it('are in three languages, for the one operation', () => {
    expect(LANGUAGES.map(({ label }) => label)).toEqual(['cURL', 'Python', 'JavaScript']);
    expect(OPERATIONS).toEqual(['POST /v1/chat/completions']);
  });

  it('match what is committed, to the letter', async () => {
    const all = LANGUAGES.flatMap(({ value, label }) =>
      [keyed, open].map(endpoint => `# ${label}, ${endpoint.authMode}\n${quickStart(value, endpoint)}\n`),
    );
    await expect(all.join('\n')).toMatchFileSnapshot('quick-start.snapshot.txt');
  });

  it('carry a key where one is needed, and no header or a stand-in where none is', () => {
    expect(quickStart('curl', keyed)).toContain('Authorization: Bearer <API_KEY>');
    expect(quickStart('python', keyed)).toContain('api_key="<API_KEY>"');
    expect(quickStart('javascript', keyed)).toContain("apiKey: '<API_KEY>'");
    expect(quickStart('curl', open)).not.toContain('Authorization');
    expect(quickStart('python', open)).toContain('api_key="not-required"');
    expect(quickStart('javascript', open)).toContain("apiKey: 'not-required'");
  });

  it('never give a library the full address, which it would append its own route to', () => {
    for (const language of ['python', 'javascript'] as const) {
      expect(quickStart(language, keyed)).not.toContain('/chat/completions');
    }
  });

  it('give the shell one command, whose body is the request', () => {
    expectCall(quickStart('curl', keyed), '<API_KEY>');
  });
});

describe('a call with a key that was just issued', () => {
  it('is complete, whatever the auth mode', () => {
    expectCall(curlCall(keyed, 'svc_live_plain'), 'svc_live_plain');
    expectCall(curlCall(open, 'svc_live_plain'), 'svc_live_plain');
  });
});

function expectCall(script: string, key: string) {
  const printed = execFileSync('sh', ['-c', script.replace(/^curl/, 'printf "%s\\n"')], { encoding: 'utf8' });
  const words = printed.trim().split('\n');
  expect(words.slice(0, -1)).toEqual([
    'https://demo.d.example.com/v1/chat/completions',
    '-H',
    `Authorization: Bearer ${key}`,
    '-H',
    'Content-Type: application/json',
    '-d',
  ]);
  expect(JSON.parse(words.at(-1)!)).toMatchObject({ messages: [{ role: 'user' }] });
}
