// The command that chats.
import type { Command } from '../../command.js';
import { stepOption } from './jobs.js';

export const chatCommand: Command = {
  name: 'chat',
  summary: 'Chat with an adapter, an endpoint or the base model; MESSAGE may be piped in',
  usage: '[MESSAGE]',
  positionals: { min: 0, max: 1 },
  options: {
    job: { type: 'string', value: 'ID', summary: 'Chat with the final adapter of this job' },
    ...stepOption,
    endpoint: { type: 'string', value: 'SLUG', summary: 'Chat with this endpoint, at its address' },
    key: { type: 'string', value: 'KEY', summary: 'The key of the endpoint' },
    temperature: { type: 'string', value: 'N', summary: 'From 0, always the likeliest word, to 2' },
    'top-p': { type: 'string', value: 'N', summary: 'Choose among the words that make up this share' },
    'max-tokens': { type: 'string', value: 'N', summary: 'How long an answer may be' },
    seed: { type: 'string', value: 'N', summary: 'The same seed and words give the same answer' },
  },
  load: () => import('../chat.js'),
};
