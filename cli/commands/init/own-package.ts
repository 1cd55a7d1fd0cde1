// This package as a dependency of another project. No registry has it under its name, so it is referenced by path.
import { relative, sep } from 'node:path';
import { findPackage } from '../../../lib/system/index.js';
import packageJson from '../../../package.json' with { type: 'json' };

export const OWN_NAME = packageJson.name;

/** `file:../…`, relative to the project's folder. */
export function ownSpecifier(folder: string): string {
  return `file:${relative(folder, findPackage()).split(sep).join('/')}`;
}
