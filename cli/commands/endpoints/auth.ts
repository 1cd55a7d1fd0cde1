// svc endpoints auth SLUG MODE: whether calls need a key. Keys are kept either way.
import type { AuthMode } from '../../../lib/contract/index.js';
import { updateCommand } from './update.js';

export const run = updateCommand(({ positionals }) => ({ authMode: positionals[1] as AuthMode }));
