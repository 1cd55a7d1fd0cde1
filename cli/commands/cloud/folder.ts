// The data folder that a cloud command works on.
import { resolve } from 'node:path';
import { cloudFolder, findHome } from '../../../lib/sdk/local-cloud/index.js';
import type { Input, Io } from '../../command.js';

export function findFolder({ values }: Pick<Input, 'values'>, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  return typeof values.data === 'string' ? resolve(cwd, values.data) : cloudFolder(findHome(env));
}
