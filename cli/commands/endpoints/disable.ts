// svc endpoints disable SLUG: calls get 404 until it is enabled again; its slug stays reserved.
import { updateCommand } from './update.js';

export const run = updateCommand(() => ({ enabled: false }));
