// The commands for base models on this machine.
import type { Command } from '../../command.js';
import { flag } from '../../options.js';
import { dataOption } from './cloud.js';
import { yesOption } from './jobs.js';

export const modelCommands: Command[] = [
  {
    name: 'models',
    summary: 'List the base models on this machine',
    usage: '[list]',
    mostArguments: 1,
    argumentChoices: { 0: ['list'] },
    options: { data: dataOption },
    load: async () => (await import('../models/list.js')).list,
  },
  {
    name: 'models show',
    summary: 'Show a base model on this machine',
    usage: 'NAME',
    options: { data: dataOption },
    load: async () => (await import('../models/list.js')).show,
  },
  {
    name: 'models pull',
    summary: 'Download a base model from the Hugging Face Hub, or resume a download',
    usage: 'OWNER/NAME[:FILE.gguf]',
    options: { data: dataOption },
    load: async () => (await import('../models/pull.js')).run,
  },
  {
    name: 'models rm',
    summary: 'Delete a base model that svc downloaded, or what it read of a GGUF file',
    usage: 'NAME',
    options: {
      ...yesOption,
      force: flag('Delete it even if jobs were trained on it, or the next start uses it'),
      data: dataOption,
    },
    load: async () => (await import('../models/rm.js')).run,
  },
];
