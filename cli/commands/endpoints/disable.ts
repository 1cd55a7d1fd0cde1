// svc endpoints disable SLUG: it answers 404 until it is enabled; its slug stays reserved.
import { updateCommand } from './update.js';

export const run = updateCommand(() => ({ enabled: false }));
