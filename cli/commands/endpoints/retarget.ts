// svc endpoints retarget SLUG --job ID [--step N]: the same address, another adapter.
import { createUsageError } from '../../command-error.js';
import { adapterOption } from '../project/adapter-option.js';
import { updateCommand } from './update.js';

const WHERE = 'endpoints retarget';

export const run = updateCommand(async input => {
  const adapter = await adapterOption(input, input.session, WHERE);
  if (!adapter) throw createUsageError('say which adapter to serve: "--job ID".', WHERE);
  return { target: { kind: 'adapter', adapter } };
});
