// Installed packages with all that they depend on, found as Node finds them: in the closest `node_modules` upwards.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface InstalledPackage {
  name: string;
  folder: string;
}

/** Needed only to install a package, never to load it. */
const INSTALL_ONLY: Readonly<Record<string, readonly string[]>> = {
  'onnxruntime-node': ['adm-zip', 'global-agent'],
};

class PackageMissingError extends Error {
  override readonly name = 'PackageMissingError';
}

export async function findInstalled(root: string, names: readonly string[]): Promise<InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const rest = names.map(name => ({ name, from: root }));
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { name, from } = next;
    if (found.has(name)) continue;
    const { folder, dependencies } = await resolvePackage(name, from);
    found.set(name, { name, folder });
    const skipped = INSTALL_ONLY[name] ?? [];
    for (const needed of dependencies)
      if (!skipped.includes(needed)) rest.push({ name: needed, from: folder });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function resolvePackage(name: string, from: string) {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) {
      const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
      return { folder, dependencies: Object.keys(dependencies) };
    }
    if (at === dirname(at))
      throw new PackageMissingError(
        `The package ${name} is missing, so the engine cannot be sent. Reinstall svc.`,
      );
  }
}
