// The commands for base models on this machine.
import type { Command } from '../../command.js';
import { dataOption } from './cloud.js';

export const modelCommands: Command[] = [
  {
    name: 'models',
    summary: 'List the base models on this machine',
    usage: '[list]',
    mostArguments: 1,
    argumentChoices: { 0: ['list'] },
    options: { data: dataOption },
    load: () => import('../models/list.js'),
  },
  {
    name: 'models show',
    summary: 'Show a base model on this machine',
    usage: 'NAME',
    options: { data: dataOption },
    load: () => import('../models/show.js'),
  },
];
