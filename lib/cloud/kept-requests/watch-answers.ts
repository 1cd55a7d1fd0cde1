// Puts the pieces of answers together while they pass to the caller, whatever format the caller gets.
import type { Clock } from '../../clock/index.js';
import type { ChatCompletionRequest, ChatMessage, KeptAnswer, KeptOutcome } from '../../contract/index.js';
import type { EchoPiece, Piece, Usage } from '../../engine/index.js';
import type { KeptRequestStore } from './kept-requests.js';

interface WatchedAnswer {
  answer: KeptAnswer;
  outcome: KeptOutcome;
  usage: Usage | null;
}

export interface Prompt {
  messages: ChatMessage[];
  tools?: NonNullable<ChatCompletionRequest['tools']>;
}

/** What a request asks; each prompt gets as many answers. Null: it is not kept. */
export interface AskedPrompts {
  prompts: readonly (Prompt | null)[];
  each: number;
}

export interface AnswerWatch {
  see(choice: { index: number; piece: Piece | EchoPiece }): void;
  /** Called once, whatever happened. */
  end(how: 'ended' | 'failed' | 'left'): void;
}

interface Progress {
  text: string;
  calls: { name: string; arguments: string }[];
  last: Extract<Piece, { finishReason: string }> | null;
}

/** `onEnd` gets the answers by their index; there is none for an answer that never started. */
function watchAnswers(onEnd: (answers: ReadonlyMap<number, WatchedAnswer>) => void): AnswerWatch {
  const choices = new Map<number, Progress>();
  return {
    see({ index, piece }) {
      const choice = choices.get(index) ?? { text: '', calls: [], last: null };
      choices.set(index, choice);
      if ('isPrompt' in piece) return;
      choice.text += piece.text;
      if ('call' in piece) {
        const { index: place, name } = piece.call;
        const call = choice.calls[place] ?? { name, arguments: '' };
        choice.calls[place] = call;
        call.arguments += piece.arguments;
      }
      if (piece.finishReason) choice.last = piece;
    },
    end(how) {
      // An answer that the caller did not wait for is worth showing; one that was refused is not.
      if (how === 'left' && choices.size === 0) choices.set(0, { text: '', calls: [], last: null });
      onEnd(new Map([...choices].map(([index, choice]) => [index, toWatched(choice, how)])));
    },
  };
}

/** The same pieces, watched. */
export async function* watched<P extends Parameters<AnswerWatch['see']>[0]>(
  pieces: AsyncIterable<P>,
  watch: AnswerWatch,
  caller: AbortSignal,
): AsyncGenerator<P> {
  let how: Parameters<AnswerWatch['end']>[0] = 'left';
  try {
    for await (const piece of pieces) {
      watch.see(piece);
      yield piece;
    }
    how = 'ended';
  } catch (error) {
    if (!caller.aborted) how = 'failed';
    throw error;
  } finally {
    watch.end(how);
  }
}

function toWatched({ text, calls, last }: Progress, how: 'ended' | 'failed' | 'left'): WatchedAnswer {
  const made = calls.map(({ name, arguments: given }, i) => ({
    id: `call_${i + 1}`,
    type: 'function' as const,
    function: { name, arguments: given },
  }));
  return {
    answer:
      made.length > 0 ? { content: text.trim() === '' ? null : text, tool_calls: made } : { content: text },
    outcome: toOutcome(last, how),
    usage: last?.usage ?? null,
  };
}

function toOutcome(last: Progress['last'], how: 'ended' | 'failed' | 'left'): KeptOutcome {
  if (last) return last.finishReason === 'length' ? 'cut' : 'complete';
  return how === 'left' ? 'aborted' : 'failed';
}

interface Call {
  deploymentId: string;
  operation: string;
  model: string;
  clock: Clock;
}

/**
 * Keeps the answers of a deployment: one entry for each, with what it answers. A served model calls it with what is
 * asked, and it watches how that is answered.
 */
export function keepAnswers(
  kept: Pick<KeptRequestStore, 'keep'>,
  { deploymentId, operation, model, clock }: Call,
): (asked: AskedPrompts) => AnswerWatch {
  return ({ prompts, each }) => {
    const at = new Date(clock.now());
    const since = clock.elapsed();
    return watchAnswers(answers => {
      const durationMs = Math.round(clock.elapsed() - since);
      for (const [index, watched] of [...answers].toSorted(([a], [b]) => a - b)) {
        const prompt = prompts[Math.floor(index / each)];
        if (!prompt) continue;
        const usage = watched.usage && {
          promptTokens: watched.usage.promptTokens,
          completionTokens: watched.usage.completionTokens,
        };
        const { answer, outcome } = watched;
        kept.keep({
          deploymentId,
          at,
          content: { operation, model, ...prompt, answer, outcome, usage, durationMs },
        });
      }
    });
  };
}

/** Tools that must not be called are none. */
export function chatPrompt({ messages, tools = [], tool_choice: choice }: ChatCompletionRequest): Prompt {
  return tools.length === 0 || choice === 'none' ? { messages } : { messages, tools };
}
