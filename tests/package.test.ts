// What installing relies on: exact versions, and a lockfile that is whole on every platform.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Entry {
  version?: string;
  optionalDependencies?: Record<string, string>;
  resolved?: string;
  hasInstallScript?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const manifest: Record<string, Record<string, string>> = read('package.json');
/** A package may have another name here: `npm:NAME@VERSION`. */
const named = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map(
  ([name, asked]) => [name, asked.replace(/^npm:.+@/, '')] as const,
);
const packages: Record<string, Entry> = read('package-lock.json').packages;

describe('the package', () => {
  it('names exact versions only', () => {
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('has each of them in its lockfile', () => {
    expect(named.map(([name]) => [name, packages[`node_modules/${name}`]?.version])).toEqual(named);
  });

  it('has a lockfile that holds the prebuilt binaries of every platform, not only of the one it was written on', () => {
    const paths = Object.keys(packages);
    const missing = Object.values(packages)
      .flatMap(entry => Object.keys(entry.optionalDependencies ?? {}))
      .filter(name => !paths.some(path => path.endsWith(`node_modules/${name}`)));
    expect(missing).toEqual([]);
  });

  it('has a lockfile that names no download host', () => {
    const registry = 'https://registry.npmjs.org/';
    const others = Object.values(packages).filter(
      ({ resolved }) => resolved && !resolved.startsWith(registry),
    );
    expect(others).toEqual([]);
  });

  it('says of every install script whether it may run', () => {
    const withScripts = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/.*node_modules\//, ''));
    expect(withScripts.filter(name => !(name in manifest.allowScripts!))).toEqual([]);
  });
});
