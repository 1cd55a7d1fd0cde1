// The Playground's history: a reducer over questions, reply text and outcomes. It knows nothing about connections or
// rendering.
import type { InferenceRequest, Target } from '../contract/index.js';

type ReplyState = 'streaming' | 'done' | 'stopped' | 'failed';

export interface ChatTurn {
  /** Unique and increasing within a view. */
  readonly key: number;
  readonly question: string;
  readonly reply: string;
  /** The model that replies. */
  readonly model: string;
  readonly state: ReplyState;
  readonly error: string | null;
}

export interface ChatView {
  readonly turns: readonly ChatTurn[];
}

export type ChatAction =
  | { readonly type: 'asked'; readonly question: string; readonly model: string }
  /** The last question once more. */
  | { readonly type: 'retried'; readonly model: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'done' | 'stopped' }
  | { readonly type: 'failed'; readonly error: string };

export const emptyChat: ChatView = { turns: [] };

export function reduceChat(view: ChatView, action: ChatAction): ChatView {
  switch (action.type) {
    case 'asked': {
      const { question, model } = action;
      const key = (view.turns.at(-1)?.key ?? 0) + 1;
      return { turns: [...view.turns, { key, question, model, reply: '', state: 'streaming', error: null }] };
    }
    case 'retried': {
      const last = view.turns.at(-1);
      if (!last || last.state === 'streaming') return view;
      const again = { ...last, key: last.key + 1, model: action.model, reply: '', error: null };
      return { turns: [...view.turns.slice(0, -1), { ...again, state: 'streaming' }] };
    }
    case 'text':
      return changeLast(view, turn => ({ ...turn, reply: turn.reply + action.text }));
    case 'failed':
      return changeLast(view, turn => ({ ...turn, state: 'failed', error: action.error }));
    default:
      return changeLast(view, turn => ({ ...turn, state: action.type }));
  }
}

export function isAnswering({ turns }: ChatView): boolean {
  return turns.at(-1)?.state === 'streaming';
}

/** Whether there is a question that can be asked once more. */
export function canRetry(view: ChatView): boolean {
  return view.turns.length > 0 && !isAnswering(view);
}

/** The history of a second model that was not asked all that the first was: that of the first, so that both answer alike. */
export function historyBeside(own: ChatView, first: ChatView): ChatView {
  const isSame =
    own.turns.length === first.turns.length &&
    own.turns.every(({ question }, index) => question === first.turns[index]!.question);
  return isSame ? own : { turns: first.turns.filter(({ state }) => state !== 'streaming') };
}

/**
 * The request for the last question, with the history before it. Exchanges without a reply are left out, because models
 * expect turns to alternate.
 */
export function toInferenceRequest(
  { turns }: ChatView,
  target: Target,
): InferenceRequest & { readonly stream: true } {
  const messages: InferenceRequest['messages'] = turns.slice(0, -1).flatMap(({ question, reply }) =>
    reply === ''
      ? []
      : [
          { role: 'user' as const, content: question },
          { role: 'assistant' as const, content: reply },
        ],
  );
  messages.push({ role: 'user', content: turns.at(-1)?.question ?? '' });
  const model = target.kind === 'base_model' ? { baseModel: target.baseModel } : { adapter: target.adapter };
  return { messages, ...model, stream: true };
}

function changeLast(view: ChatView, change: (turn: ChatTurn) => ChatTurn): ChatView {
  const last = view.turns.at(-1);
  return last?.state === 'streaming' ? { turns: [...view.turns.slice(0, -1), change(last)] } : view;
}
