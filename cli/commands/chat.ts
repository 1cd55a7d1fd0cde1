// svc chat: talks to an adapter, an endpoint or the base model. Interactive at a terminal; a message that is passed or
// piped in gets one answer.
import type { Output } from '../command.js';
import { exitCode } from '../exit-code.js';
import { printJson } from '../print.js';
import { chooseSpeaker } from './chat/choose-speaker.js';
import { converse } from './chat/converse.js';
import { openRows } from './chat/open-rows.js';
import { readMessage } from './chat/read-message.js';
import { say } from './chat/say.js';
import type { Speaker } from './chat/speaker.js';
import { sessionCommand } from './project/session-command.js';
import { canAsk } from './terminal/screen.js';

export const run = sessionCommand(async context => {
  const { positionals, json, io } = context;
  const isConversation = positionals.length === 0 && !json && canAsk(io);
  const message = isConversation ? null : await readMessage(positionals[0], io);
  const keep = openRows(context);
  const speaker = await chooseSpeaker(context);
  if (message === null) return converse(speaker, io, keep);
  const messages = [{ role: 'user', content: message } as const];
  const reply = json
    ? await answerAsJson(speaker, messages, io.stdout)
    : await say(speaker, messages, io.stdout);
  await keep([], { question: message, reply });
  return exitCode.ok;
});

async function answerAsJson(
  speaker: Speaker,
  messages: Parameters<Speaker['answer']>[0],
  stdout: Output,
): Promise<string> {
  const completion = await speaker.answer(messages);
  printJson(stdout, completion);
  return completion.choices[0]?.message.content ?? '';
}
