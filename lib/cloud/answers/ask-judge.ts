// Asks a model about an answer, for graders. It waits for a place in the queue, as callers of the API do.
import { ApiError, type ChatCompletionRequest } from '../../contract/index.js';
import type { AskJudge, JudgeAnswer, JudgeQuestion } from '../../grading/index.js';
import { type AnswerDeps, type ModelCall, openAnswer, toRefusal } from './answer.js';
import { askChat } from './chat.js';
import { addPiece, type Said } from './pieces.js';

const MOST_TRIES = 20;

/**
 * `serve` throws for a model that cannot answer, and asks for another try if it soon can. `isPatient`: waits for a place until
 * the signal is aborted.
 */
export function createAskJudge(
  deps: Omit<AnswerDeps, 'times'>,
  serve: (model: string) => Promise<ModelCall>,
  { isPatient = false } = {},
): AskJudge {
  return async (question, signal) => {
    let tries = 0;
    for (;;) {
      let either = signal;
      try {
        const served = await serve(question.model);
        either = signal ? AbortSignal.any([served.signal, signal]) : served.signal;
        return await ask(deps, question, { ...served, signal: either });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const waitMs = readRetryMs(error);
        // The question itself may end the engine's process.
        if (!isPatient || error.code === 'engine_unavailable') tries++;
        if (waitMs === 0 || tries === MOST_TRIES) throw error;
        await deps.clock.sleep(waitMs, either);
      }
    }
  };
}

/** How long the caller should wait before the next try; 0 if there should be none. */
function readRetryMs({ headers }: ApiError): number {
  return Number(headers['retry-after-ms'] ?? 0) || Number(headers['retry-after'] ?? 0) * 1000;
}

async function ask(
  deps: Omit<AnswerDeps, 'times'>,
  question: JudgeQuestion,
  call: ModelCall,
): Promise<JudgeAnswer> {
  const { format, pieces } = openAnswer(deps, askChat(toRequest(question)), call);
  const answers = new Map<number, Said>();
  try {
    for await (const piece of pieces()) addPiece(answers, piece);
  } catch (error) {
    call.signal.throwIfAborted();
    const refusal = await toRefusal(error, call, format.fields, deps.log);
    if (refusal instanceof ApiError) throw refusal;
    deps.log({ message: 'A grader could not ask a model.', error: refusal, requestId: call.requestId });
    throw new Error("something went wrong on the cloud's side; see its log");
  }
  const { text, last } = answers.get(0)!;
  return { text, model: call.name, usage: last!.usage };
}

function toRequest({ model, messages, schema, sampling }: JudgeQuestion): ChatCompletionRequest {
  const { temperature, top_p, seed, reasoning_effort } = sampling;
  // Graders of OpenAI's format spell it otherwise than chats.
  const most = sampling.max_completions_tokens ?? sampling.max_completion_tokens ?? sampling.max_tokens;
  return {
    model,
    messages,
    temperature: temperature ?? undefined,
    top_p: top_p ?? undefined,
    seed: seed ?? undefined,
    max_completion_tokens: most ?? undefined,
    reasoning_effort: reasoning_effort ?? undefined,
    response_format: { type: 'json_schema', json_schema: { name: 'grade', schema } },
  };
}
