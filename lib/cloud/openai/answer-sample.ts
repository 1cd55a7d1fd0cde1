// Answers one of a job's samples, as a chat at temperature 0.
import { ApiError } from '../../contract/index.js';
import type { CloudLogLine } from '../deps.js';
import type { AnswerSample } from '../seams/answer-sample.js';
import type { InferenceBackend } from '../seams/backend.js';
import { toChatTasks } from './chat-task.js';
import { generateChoices } from './choices.js';
import { toApiError } from './engine-refusal.js';

const USUAL_TOKENS = 128;
/** All jobs together take turns with everyone else who asks. */
const CALLER = 'samples';

export function createAnswerSample(
  backend: InferenceBackend,
  log: (line: CloudLogLine) => void,
): AnswerSample {
  return async ({ messages, maxTokens = USUAL_TOKENS }, adapter, signal) => {
    const request = { messages, temperature: 0, max_tokens: maxTokens };
    const tasks = toChatTasks(request, { adapter: adapter?.sha256 ?? null, caller: CALLER });
    try {
      if (adapter) await backend.load(adapter);
      let answer = '';
      let isCut = false;
      for await (const { piece } of generateChoices(backend, 'chat', tasks, signal)) {
        answer += piece.text;
        if (piece.finishReason === 'length') isCut = true;
      }
      return { answer, finishReason: isCut ? 'length' : 'stop' };
    } catch (error) {
      const fault = toApiError(error, { conversation: 'messages' });
      if (!(fault instanceof ApiError)) {
        if (!signal.aborted) log({ message: 'A sample could not be answered.', error });
        return { answer: null, error: "Something went wrong on the cloud's side; see its log." };
      }
      const passes = fault.code === 'engine_busy' || fault.code === 'engine_unavailable';
      return passes ? 'later' : { answer: null, error: fault.message };
    }
  };
}
