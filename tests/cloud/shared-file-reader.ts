// Reads files for all clouds in this process, since to start a process for it takes longer than most tests. No test closes it,
// because another file's tests may follow. Its processes end after a while without work, or with this one.
import { startFileReader } from '../../lib/engine/index.js';

export const sharedFileReader = startFileReader();
