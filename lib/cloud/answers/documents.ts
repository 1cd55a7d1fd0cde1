// Builds OpenAI-style documents from pieces: one completion, or its chunks.
import { randomUUID } from 'node:crypto';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/index.js';
import type { CallPiece, FinishReason, Piece, TokenLogprob, Usage } from '../../engine/index.js';
import type { ChoicePiece } from './choices.js';

/** What all documents of one answer share. */
export interface Head {
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  system_fingerprint: string;
}

interface DocumentOptions {
  /** Whether log probabilities were requested. */
  logprobs: boolean;
}

type ToolCall = NonNullable<ChatCompletion['choices'][number]['message']['tool_calls']>[number];

type WireUsage = ChatCompletion['usage'];

interface Choice {
  text: string;
  calls: ToolCall[];
  entries: LogprobEntry[];
  end: { reason: FinishReason; usage: Usage } | null;
}

export async function collectCompletion(
  head: Head,
  pieces: AsyncIterable<ChoicePiece>,
  { logprobs }: DocumentOptions,
): Promise<ChatCompletion> {
  const choices = new Map<number, Choice>();
  for await (const { index, piece } of pieces) {
    const choice = choices.get(index) ?? { text: '', calls: [], entries: [], end: null };
    choices.set(index, choice);
    choice.text += piece.text;
    if ('call' in piece) addArguments(choice.calls, piece);
    choice.entries.push(...toEntries(piece));
    if (piece.finishReason) choice.end = { reason: piece.finishReason, usage: piece.usage };
  }
  const ordered = [...choices].sort(([a], [b]) => a - b);
  return {
    ...head,
    object: 'chat.completion',
    choices: ordered.map(([index, { text, calls, entries, end }]) => ({
      index,
      message:
        calls.length > 0
          ? { role: 'assistant', content: text.trim() === '' ? null : text, tool_calls: calls }
          : { role: 'assistant', content: text },
      logprobs: logprobs ? { content: entries } : null,
      finish_reason: end!.reason,
    })),
    usage: addUsage(ordered.map(([, { end }]) => end!.usage)),
  };
}

/** For each choice the role, then text, then the finish reason; at the end the usage, if requested. */
export async function* toChunks(
  head: Head,
  pieces: AsyncIterable<ChoicePiece>,
  { includeUsage }: { includeUsage: boolean },
): AsyncGenerator<ChatCompletionChunk> {
  const begun = new Set<number>();
  const calls = new Map<number, number>();
  const usages: Usage[] = [];
  const chunk = (
    choice: Omit<ChatCompletionChunk['choices'][number], 'logprobs'>,
    entries?: LogprobEntry[],
  ) => ({
    ...head,
    object: 'chat.completion.chunk' as const,
    choices: [{ ...choice, logprobs: entries?.length ? { content: entries } : null }],
    ...(includeUsage && { usage: null }),
  });
  for await (const { index, piece } of pieces) {
    if (!begun.has(index))
      yield chunk({ index, delta: { role: 'assistant', content: '' }, finish_reason: null });
    begun.add(index);
    if (piece.finishReason) {
      usages.push(piece.usage);
      yield chunk({ index, delta: {}, finish_reason: piece.finishReason });
      continue;
    }
    if ('call' in piece) {
      const known = calls.get(index) ?? 0;
      calls.set(index, Math.max(known, piece.call.index + 1));
      const delta = { tool_calls: [toCallDelta(piece, piece.call.index >= known)] };
      yield chunk({ index, delta, finish_reason: null });
      continue;
    }
    const entries = toEntries(piece);
    if (piece.text !== '' || entries.length > 0)
      yield chunk({ index, delta: { content: piece.text }, finish_reason: null }, entries);
  }
  if (includeUsage) yield { ...head, object: 'chat.completion.chunk', choices: [], usage: addUsage(usages) };
}

function toEntries(piece: Piece): LogprobEntry[] {
  return 'logprobs' in piece ? (piece.logprobs ?? []).map(toLogprobEntry) : [];
}

export function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

function addArguments(calls: ToolCall[], { call, arguments: given }: CallPiece): void {
  const found = calls[call.index];
  if (found) found.function.arguments += given;
  else calls.push({ id: newCallId(), type: 'function', function: { name: call.name, arguments: given } });
}

function toCallDelta({ call, arguments: given }: CallPiece, isFirst: boolean) {
  const { index, name } = call;
  if (!isFirst) return { index, function: { arguments: given } };
  return { index, id: newCallId(), type: 'function' as const, function: { name, arguments: given } };
}

/** As many choices in a row share a prompt, which counts once; by default, all of them. */
export function addUsage(usages: readonly Usage[], sharing = usages.length): WireUsage {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const prompts = usages.filter((_, i) => i % sharing === 0);
  const prompt = sum(prompts.map(({ promptTokens }) => promptTokens));
  const completion = sum(usages.map(({ completionTokens }) => completionTokens));
  const isKnown = prompts.some(({ cachedTokens }) => cachedTokens !== undefined);
  const cached = isKnown ? sum(prompts.map(({ cachedTokens = 0 }) => cachedTokens)) : undefined;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
  };
}

type Logprobs = NonNullable<ChatCompletion['choices'][number]['logprobs']>;
export type LogprobEntry = NonNullable<Logprobs['content']>[number];

type WrittenToken = Omit<TokenLogprob, 'top'>;

/** JSON has no infinity. The format uses this value for practically impossible tokens. */
const LOWEST = -9999;

/** Log probabilities in the OpenAI format, with each token's text and bytes. */
export function toLogprobEntry({ top, ...token }: TokenLogprob): LogprobEntry {
  const write = ({ logprob, bytes }: WrittenToken) => ({
    token: textOf(bytes),
    logprob: writeLogprob(logprob),
    bytes: [...bytes],
  });
  return { ...write(token), top_logprobs: top.map(write) };
}

export function writeLogprob(logprob: number): number {
  return Math.max(logprob, LOWEST);
}

/** Parts of characters become replacement characters. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
