// svc chat: talks to an adapter, an endpoint or the base model. Interactive at a terminal; a message that is passed or
// piped in gets one answer.
import { exitCode } from '../exit-code.js';
import { chooseSpeaker } from './chat/choose-speaker.js';
import { converse } from './chat/converse.js';
import { readMessage } from './chat/read-message.js';
import { say } from './chat/say.js';
import { sessionCommand } from './project/session-command.js';
import { canAsk } from './terminal/screen.js';

export const run = sessionCommand(async context => {
  const { positionals, json, io } = context;
  const isConversation = positionals.length === 0 && !json && canAsk(io);
  const message = isConversation ? null : await readMessage(positionals[0], io);
  const speaker = await chooseSpeaker(context);
  if (message === null) return converse(speaker, io);
  const messages = [{ role: 'user', content: message } as const];
  if (json) io.stdout.write(`${JSON.stringify(await speaker.answer(messages))}\n`);
  else await say(speaker, messages, io.stdout);
  return exitCode.ok;
});
