import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../support/repository-root.js';

const folder = join(repositoryRoot, 'dist/studio-web');
const page = readFileSync(join(folder, 'index.html'), 'utf8');
const scripts = readdirSync(join(folder, 'assets'))
  .filter(name => name.endsWith('.js'))
  .map(name => readFileSync(join(folder, 'assets', name), 'utf8'));

it('the built app holds no script, style or token in its page, and loads nothing from outside', () => {
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(page).toContain('<meta name="svc-studio-token" content="" />');
});

it('the built app needs less than 55 kB of scripts for its first page, compressed, and never the schemas of the wire', () => {
  const named = [...page.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(0);
  const first = withImports(named);
  const bytes = first.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0);
  expect(bytes).toBeLessThan(55_000);
  expect(scripts.filter(script => /ZodMini|\b_zod\b/.test(script))).toEqual([]);
});

/** The scripts with those that they cannot do without. */
function withImports(paths: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const script = readFileSync(join(folder, path), 'utf8');
    for (const [, name] of script.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      visit(`assets/${name}`);
  };
  paths.forEach(visit);
  return [...found];
}
