// What the README points at is there, and its pictures are quickly loaded.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const readme = readFileSync(at('README.md'), 'utf8');
const targets = (pattern: RegExp) => [...readme.matchAll(pattern)].map(([, target]) => target!);

it('the README links to what is there', () => {
  const links = targets(/\]\((?!https?:|#)([^)]+)\)/g);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter(link => !existsSync(at(link)))).toEqual([]);
});

it('the README shows all of docs/pictures and nothing else, each picture under 200 kB', () => {
  const shown = targets(/\bsrc(?:set)?="([^"]+)"/g);
  const files = readdirSync(at('docs/pictures')).map(name => `docs/pictures/${name}`);
  expect(shown.sort()).toEqual(files.sort());
  expect(files.filter(file => statSync(at(file)).size > 200e3)).toEqual([]);
});
