// Whether the credentials file can be parsed. What stands in it is never shown.
import { join } from 'node:path';
import { credentialsFile } from '../../../lib/contract/index.js';
import type { Check } from './check.js';
import { checkJsonFile } from './json-file.js';

export function checkCredentials(home: string): Promise<Check> {
  return checkJsonFile('credentials', join(home, 'credentials.json'), credentialsFile, {
    missing: 'none yet: the first use makes an anonymous identity',
    hint: 'Repair the file or move it away; svc leaves it as it is.',
  });
}
