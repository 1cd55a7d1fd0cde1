// Whether the credentials file is valid. Its content is never shown.
import { join } from 'node:path';
import { credentialsFile } from '../../../lib/contract/index.js';
import type { Check } from './check.js';
import { checkJsonFile } from './json-file.js';

export function checkCredentials(home: string): Promise<Check> {
  return checkJsonFile('credentials', join(home, 'credentials.json'), credentialsFile, {
    missing: 'none yet; the first use creates an anonymous identity',
    hint: 'Fix the file or move it away; svc never overwrites it.',
  });
}
