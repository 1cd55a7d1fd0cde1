// This package as another project's dependency. It is on no registry under its name, so it is named by where it lies.
import { relative, sep } from 'node:path';
import { findPackage } from '../../../lib/sdk/index.js';
import packageJson from '../../../package.json' with { type: 'json' };

export const OWN_NAME = packageJson.name;

/** `file:../…`, from the folder of the project. */
export function ownSpecifier(folder: string): string {
  return `file:${relative(folder, findPackage()).split(sep).join('/')}`;
}
