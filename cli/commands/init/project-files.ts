// The files that every project has besides its sources: package.json, unless there is one, and .gitignore.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_NAME, ownSpecifier } from './own-package.js';
import type { ProjectFile } from './templates/project-file.js';

/** A new package.json; null if the project has one. */
export async function packageFile(folder: string, name: string): Promise<ProjectFile | null> {
  if ((await readText(join(folder, 'package.json'))) !== null) return null;
  const content = {
    name,
    private: true,
    type: 'module',
    dependencies: { [OWN_NAME]: ownSpecifier(folder) },
  };
  return { path: 'package.json', content: `${JSON.stringify(content, null, 2)}\n`, note: 'depends on svc' };
}

/** Whether the project's package.json names svc. */
export async function dependsOnSvc(folder: string): Promise<boolean> {
  const text = await readText(join(folder, 'package.json'));
  return text !== null && new RegExp(`"${OWN_NAME}"\\s*:`).test(text);
}

/** The lines to append to .gitignore; empty if none are missing. */
export async function missingIgnores(folder: string): Promise<string> {
  const text = await readText(join(folder, '.gitignore'));
  if (text === null) return 'node_modules/\n.svc/\n';
  if (/^\/?\.svc\/?\s*$/m.test(text)) return '';
  return `${text === '' || text.endsWith('\n') ? '' : '\n'}.svc/\n`;
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
