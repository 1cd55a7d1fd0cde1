// The commands for adapters that were trained elsewhere.
import type { Command } from '../../command.js';

export const adapterCommands: Command[] = [
  {
    name: 'adapters import',
    summary: 'Import an adapter that was trained elsewhere, from a folder in PEFT layout, as a finished job',
    usage: 'FOLDER',
    positionals: { min: 1, max: 1 },
    options: {
      name: { type: 'string', value: 'NAME', summary: "The job's name (default: the folder's)" },
      'same-base-model': {
        type: 'boolean',
        summary: "The base model that the adapter names is this cloud's under another name",
      },
    },
    load: () => import('../adapters/import.js'),
  },
];
