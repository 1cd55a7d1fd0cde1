// Answers a chat in one of the published formats; by default, with a chat completion.
import type { ChatCompletionRequest } from '../../contract/index.js';
import type { ServedModel } from '../inference/served-model.js';
import { chatPrompt } from '../kept-requests/keep-answers.js';
import { type AnswerDeps, createAnswer } from './answer.js';
import { type AnswerFormat, chatFormat } from './answer-format.js';
import { toChatTasks } from './chat-task.js';
import type { Head } from './documents.js';

export type AnswerChat = (
  asked: ChatCompletionRequest,
  served: ServedModel,
  caller: AbortSignal,
  toFormat?: (asked: ChatCompletionRequest, head: Head) => AnswerFormat,
) => Promise<Response>;

export function createAnswerChat(deps: AnswerDeps): AnswerChat {
  const answer = createAnswer(deps);
  return (asked, served, caller, toFormat = chatFormat) =>
    answer(
      {
        kind: 'chat',
        tasks: toChatTasks(asked, served),
        stream: asked.stream ?? false,
        watch: served.watch?.({ prompts: [chatPrompt(asked)], each: asked.n ?? 1 }),
      },
      served,
      caller,
      head => toFormat(asked, head),
    );
}
