// svc endpoints enable SLUG: it serves again at the same URL.
import { updateCommand } from './update.js';

export const run = updateCommand(() => ({ enabled: true }));
