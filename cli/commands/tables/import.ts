// The command that moves fine-tuning jobs here.
import type { Command } from '../../command.js';
import { flag, text } from '../../options.js';

export const importCommands: Command[] = [
  {
    name: 'import openai',
    summary:
      'Move fine-tuning jobs from an OpenAI account: their data and results, a job in this project, and a trainer for each',
    usage: '[JOB…]',
    mostArguments: 1000,
    options: {
      list: flag('List the jobs of the account and import nothing'),
      answers: flag(
        "Also ask the fine-tuned models for their answers to the validation rows, at OpenAI's price",
      ),
      'base-url': text('URL', 'Address of the API (default: OPENAI_BASE_URL, or https://api.openai.com/v1)'),
      folder: text('DIR', 'Where to keep what is downloaded (default: openai)'),
      yes: flag('Import many jobs, or ask for answers, without asking first'),
    },
    load: () => import('../import/openai.js'),
  },
];
