// The chat command.
import type { Command } from '../../command.js';
import { stepOption } from './jobs.js';

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Chat with an adapter, an endpoint or the base model; MESSAGE can be piped in',
  usage: '[MESSAGE]',
  positionals: { min: 0, max: 1 },
  options: {
    job: { type: 'string', value: 'ID', summary: 'Chat with the final adapter of this job' },
    ...stepOption,
    endpoint: { type: 'string', value: 'SLUG', summary: 'Chat with this endpoint, at its URL' },
    key: { type: 'string', value: 'KEY', summary: 'API key for the endpoint' },
    temperature: { type: 'string', value: 'N', summary: 'Randomness: 0 (deterministic) to 2' },
    'top-p': { type: 'string', value: 'N', summary: 'Top-p: sample from this probability mass' },
    'max-tokens': { type: 'string', value: 'N', summary: 'Maximum length of the answer' },
    seed: { type: 'string', value: 'N', summary: 'The same seed and messages give the same answer' },
  },
  load: () => import('../chat.js'),
};
