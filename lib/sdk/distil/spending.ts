// What answers take in tokens and in money: counted as a teacher counts them, and estimated before.
import type { DistilSettings } from './options.js';
import type { Ask } from './questions.js';

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export interface Estimate {
  readonly tokens: Tokens;
  /** Null without prices. */
  readonly dollars: number | null;
  /** Whether no more can be answered, rather than about as much. */
  readonly isMost: boolean;
}

const PER_MILLION = 1e6;
const CHARACTERS_PER_TOKEN = 4;
/** Fewer answers say little about others. */
const FEWEST_TO_LEARN_FROM = 8;

export function addTokens(one: Tokens, other: Tokens | null): Tokens {
  return { input: one.input + (other?.input ?? 0), output: one.output + (other?.output ?? 0) };
}

/** At full price: what a provider takes off for cached tokens is not known. */
export function priceOf({ input, output }: Tokens, prices: DistilSettings['prices']): number | null {
  return prices ? (input * prices.input + output * prices.output) / PER_MILLION : null;
}

/** As `usage` has them; null if a server does not count. */
export function readUsage(usage: unknown): Tokens | null {
  const { prompt_tokens: input, completion_tokens: output } = (usage ?? {}) as Record<string, unknown>;
  return isCount(input) && isCount(output) ? { input, output } : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Of the missing answers, by those that are known if there are enough. */
export function estimate(
  missing: readonly Ask[],
  known: readonly { ask: Ask; tokens: Tokens | null }[],
  { maxTokens, prices }: DistilSettings,
): Estimate {
  const counted = known.filter(({ tokens }) => tokens !== null);
  const isLearned = counted.length >= FEWEST_TO_LEARN_FROM;
  const characters = (asks: readonly Ask[]) =>
    sum(asks.map(({ body }) => JSON.stringify(body.messages).length));
  const spent = counted.reduce((total, { tokens }) => addTokens(total, tokens), {
    input: 0,
    output: 0,
  });
  const perCharacter = isLearned
    ? spent.input / characters(counted.map(({ ask }) => ask))
    : 1 / CHARACTERS_PER_TOKEN;
  const tokens = {
    input: Math.ceil(characters(missing) * perCharacter),
    output: Math.ceil(missing.length * (isLearned ? spent.output / counted.length : maxTokens)),
  };
  return { tokens, dollars: priceOf(tokens, prices), isMost: !isLearned };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
