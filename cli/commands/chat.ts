// svc chat: asks an adapter, an endpoint or the base model; a whole conversation at a terminal, one answer elsewhere.
import { createUsageError } from '../command-error.js';
import { exitCode } from '../exit-code.js';
import { chooseSpeaker } from './chat/choose-speaker.js';
import { converse } from './chat/converse.js';
import { say } from './chat/say.js';
import { projectCommand } from './project/project-command.js';
import { canAsk } from './terminal/screen.js';

export const run = projectCommand(async context => {
  const { positionals, json, io } = context;
  const [message] = positionals;
  if (message === undefined && (json || !canAsk(io)))
    throw createUsageError('an argument is missing: MESSAGE. Only a terminal can be chatted with.', 'chat');
  const speaker = await chooseSpeaker(context);
  if (message === undefined) return converse(speaker, io);
  const messages = [{ role: 'user', content: message } as const];
  if (json) io.stdout.write(`${JSON.stringify(await speaker.answer(messages))}\n`);
  else await say(speaker, messages, io.stdout);
  return exitCode.ok;
});
