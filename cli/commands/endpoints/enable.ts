// svc endpoints enable SLUG: it answers again, at the same address.
import { updateCommand } from './update.js';

export const run = updateCommand(() => ({ enabled: true }));
