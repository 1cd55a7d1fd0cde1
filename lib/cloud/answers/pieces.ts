// Pieces of answers: generated in parallel, put together, and split into the blocks that some formats use.
import type { Clock } from '../../clock/index.js';
import type { AskKind, Asks, CallPiece, EchoPiece, Piece, TokenLogprob } from '../../engine/index.js';
import { newId } from '../openai-values.js';
import type { Backend, Question } from '../seams/backend.js';
import { withPatience } from './patience.js';

/** Generates text. */
export type Generation = 'chat' | 'complete';

export interface ChoicePiece<P = Piece> {
  /** The index of the answer. */
  index: number;
  piece: P;
}

/** Answers of one request generated at a time, so that one request does not fill the queue. */
const AT_ONCE = 8;

/**
 * Yields nothing until the first answers have started: if one is refused, the whole request is. Later ones wait for a place, so
 * that nothing that was computed is lost.
 */
export async function* generateChoices<K extends Generation>(
  { backend, clock }: { backend: Pick<Backend, 'ask'>; clock: Clock },
  kind: K,
  tasks: readonly Question<K>[],
  signal: AbortSignal,
): AsyncGenerator<ChoicePiece<Asks[K]['output']>> {
  type Output = Asks[K]['output'];
  const clientGone = new AbortController();
  const either = AbortSignal.any([signal, clientGone.signal]);
  const answers: AsyncIterator<Output>[] = [];
  const pending = new Map<number, Promise<{ index: number; next: IteratorResult<Output> }>>();
  const advance = (index: number) =>
    pending.set(
      index,
      answers[index]!.next().then(next => ({ index, next })),
    );
  const patient = withPatience(backend, clock);
  const startNext = () => {
    const task = tasks[answers.length];
    if (task === undefined) return;
    const asked = answers.length < AT_ONCE ? backend : patient;
    answers.push(asked.ask(kind, task, either)[Symbol.asyncIterator]());
    advance(answers.length - 1);
  };
  try {
    while (answers.length < Math.min(AT_ONCE, tasks.length)) startNext();
    await Promise.all(pending.values());
    while (pending.size > 0) {
      const { index, next } = await Promise.race(pending.values());
      pending.delete(index);
      if (next.done) {
        startNext();
        continue;
      }
      yield { index, piece: next.value };
      advance(index);
    }
  } finally {
    clientGone.abort();
    await Promise.allSettled([...pending.values(), ...answers.map(answer => answer.return?.())]);
  }
}

/** For formats that send it as a single part. */
export async function askOnce<K extends AskKind>(
  backend: Pick<Backend, 'ask'>,
  kind: K,
  task: Question<K>,
  signal: AbortSignal,
): Promise<Asks[K]['output']> {
  for await (const output of backend.ask(kind, task, signal)) return output;
  throw new Error(`The backend ended without an answer to "${kind}".`);
}

export type LastPiece = Extract<Piece, { finishReason: string }>;

/** An answer so far. */
export interface Said {
  /** What was thought before it. */
  thought: string;
  text: string;
  calls: { name: string; arguments: string }[];
  last: LastPiece | null;
}

export const nothingSaid = (): Said => ({ thought: '', text: '', calls: [], last: null });

/** Adds a piece to its answer. An echoed prompt is not part of the answer. */
export function addPiece(answers: Map<number, Said>, { index, piece }: ChoicePiece<Piece | EchoPiece>): void {
  const said = answers.get(index) ?? nothingSaid();
  answers.set(index, said);
  if ('isPrompt' in piece) return;
  said.text += piece.text;
  if ('thought' in piece) said.thought += piece.thought;
  if (piece.finishReason) said.last = piece;
  if (!('call' in piece)) return;
  said.calls[piece.call.index] ??= { name: piece.call.name, arguments: '' };
  said.calls[piece.call.index]!.arguments += piece.arguments;
}

/** In the order of their prompts. */
export function inOrder<T>(answers: ReadonlyMap<number, T>): [index: number, answer: T][] {
  return [...answers].toSorted(([a], [b]) => a - b);
}

/** A thought, text or a tool call, in formats that list all of them. */
export interface Block {
  /** Unique; formats add a prefix. */
  id: string;
  isThought: boolean;
  /** Null for other blocks. */
  call: CallPiece['call'] | null;
  /** A call's arguments. */
  text: string;
  logprobs: TokenLogprob[];
}

/** The effect of a piece. Added text may be empty. */
export interface BlockChange {
  kind: 'opens' | 'adds' | 'closes';
  at: number;
  block: Block;
  text: string;
  logprobs: readonly TokenLogprob[];
}

const nothingHeld = (): Pick<Block, 'text' | 'logprobs'> => ({ text: '', logprobs: [] });

/**
 * Splits an answer into blocks: a thought, a text, then calls. A sole text block may be empty. Blank text before a call is not a
 * block, and neither is empty text after a thought.
 */
export class BlockList {
  readonly blocks: Block[] = [];
  last: LastPiece | null = null;
  readonly #mayCall: boolean;
  /** Text that may still turn out to be blank. */
  #held = nothingHeld();

  constructor(mayCall: boolean) {
    this.#mayCall = mayCall;
  }

  *add(piece: Piece): Generator<BlockChange> {
    if ('thought' in piece) {
      if (!this.blocks.at(-1)?.isThought) yield* this.#open({ isThought: true });
      yield this.#append(piece.thought, []);
      return;
    }
    if ('call' in piece) {
      this.#held = nothingHeld();
      if (this.blocks.at(-1)?.call?.index !== piece.call.index) yield* this.#open({ call: piece.call });
      yield this.#append(piece.arguments, []);
      return;
    }
    if (piece.finishReason) this.last = piece;
    if (this.blocks.at(-1)?.call) return;
    const followsThought = this.blocks.at(-1)?.isThought;
    const isFirst = followsThought ?? true;
    this.#held.text += piece.text;
    if (!piece.finishReason) this.#held.logprobs.push(...(piece.logprobs ?? []));
    const { text, logprobs } = this.#held;
    if (isFirst && this.#mayCall && text.trim() === '' && !piece.finishReason) return;
    if (followsThought && text === '') return;
    if (isFirst) yield* this.#open({});
    this.#held = nothingHeld();
    if (text !== '' || logprobs.length > 0) yield this.#append(text, logprobs);
  }

  /** The change that ends the last block. */
  close(): BlockChange {
    return this.#change('closes');
  }

  *#open(kind: Partial<Pick<Block, 'isThought' | 'call'>>): Generator<BlockChange> {
    if (this.blocks.length > 0) yield this.close();
    this.blocks.push({ id: newId(), isThought: false, call: null, text: '', logprobs: [], ...kind });
    yield this.#change('opens');
  }

  #append(text: string, logprobs: readonly TokenLogprob[]): BlockChange {
    const change = this.#change('adds', text, logprobs);
    change.block.text += text;
    change.block.logprobs.push(...logprobs);
    return change;
  }

  #change(kind: BlockChange['kind'], text = '', logprobs: readonly TokenLogprob[] = []): BlockChange {
    const at = this.blocks.length - 1;
    return { kind, at, block: this.blocks[at]!, text, logprobs };
  }
}
