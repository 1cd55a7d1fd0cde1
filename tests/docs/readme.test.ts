// What the README points at is there, and its pictures are quickly loaded.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const readme = readFileSync(at('README.md'), 'utf8');
const targets = (pattern: RegExp) => [...readme.matchAll(pattern)].map(([, target]) => target!);

it('the README links to what is there', () => {
  const links = targets(/\]\((?!https?:|#)([^)]+)\)/g);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter(link => !existsSync(at(link)))).toEqual([]);
});

it('the README shows all of docs/pictures and nothing else, each picture under 200 kB and a recording under 1 MB', () => {
  const shown = targets(/\bsrc(?:set)?="([^"]+)"/g);
  const files = readdirSync(at('docs/pictures')).map(name => `docs/pictures/${name}`);
  expect(shown.sort()).toEqual(files.sort());
  const most = (file: string) => (file.endsWith('.svg') ? 1e6 : 200e3);
  expect(files.filter(file => statSync(at(file)).size > most(file))).toEqual([]);
});

describe('the README agrees with the binaries that the packages ship', () => {
  const platforms = {
    'Linux x64': 'linux/x64',
    'Linux arm64': 'linux/arm64',
    'macOS on Apple silicon': 'darwin/arm64',
    'macOS on Intel': 'darwin/x64',
    'Windows x64': 'win32/x64',
    'Windows on ARM': 'win32/arm64',
  };
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')) as {
    packages: Record<string, { os?: string[]; cpu?: string[] }>;
  };

  /** ONNX Runtime has all binaries in one package, libsql has a package for each. */
  function isMissing(platform: string): string | null {
    const [os = '', cpu = ''] = platform.split('/');
    if (!existsSync(at(`node_modules/onnxruntime-node/bin/napi-v6/${platform}`))) return 'ONNX Runtime';
    const isThere = Object.entries(packages).some(
      ([path, of]) => path.includes('/@libsql/') && of.os?.includes(os) && of.cpu?.includes(cpu),
    );
    return isThere ? null : 'libsql';
  }

  it.each(Object.entries(platforms))('%s', (name, platform) => {
    const [, said] = new RegExp(`^\\| ${name} \\| (.+) \\|$`, 'm').exec(readme) ?? [];
    const missing = isMissing(platform);
    expect(said).toMatch(missing ? `${missing} has no binary` : /^(?:tested|all binaries exist)/);
  });
});
