// What installing relies on: exact versions, and a lockfile that is whole on every platform.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Lock {
  packages: Record<
    string,
    { version?: string; optionalDependencies?: Record<string, string>; resolved?: string }
  >;
}

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as T;
const manifest =
  read<Record<'dependencies' | 'devDependencies' | 'allowScripts' | 'engines', Record<string, string>>>(
    'package.json',
  );
const { packages } = read<Lock>('package-lock.json');

describe('the package', () => {
  it('names exact versions only', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('has each of them in its lockfile', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });

  it('has a lockfile that holds the prebuilt binaries of every platform, not only of the one it was written on', () => {
    const paths = Object.keys(packages);
    const missing = Object.values(packages)
      .flatMap(entry => Object.keys(entry.optionalDependencies ?? {}))
      .filter(name => !paths.some(path => path.endsWith(`node_modules/${name}`)));
    expect(missing).toEqual([]);
  });

  it('has a lockfile that names no download host', () => {
    expect(
      Object.values(packages).filter(
        ({ resolved }) => resolved && !resolved.startsWith('https://registry.npmjs.org/'),
      ),
    ).toEqual([]);
  });

  it('says of every install script whether it may run', () => {
    const withScripts = Object.entries(packages)
      .filter(([, entry]) => (entry as { hasInstallScript?: boolean }).hasInstallScript)
      .map(([path]) => path.replace(/.*node_modules\//, ''));
    expect(withScripts.filter(name => !(name in manifest.allowScripts))).toEqual([]);
  });
});
