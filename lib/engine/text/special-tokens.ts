// Reads the tokens that start, end and pad a text from tokenizer_config.json and generation_config.json.
import { TextError } from './errors.js';
import { isObject, type Json, type TextFiles } from './text-files.js';
import type { Vocabulary } from './vocabulary.js';

export interface SpecialTokens {
  readonly bosId: number | undefined;
  readonly padId: number | undefined;
  /** The tokenizer's own first, then others that end generation. */
  readonly eosIds: readonly number[];
  /** The variables of chat templates for these tokens: `bos_token`, `eos_token`, …; empty if a token is missing. */
  readonly variables: Readonly<Record<string, string>>;
}

const names = ['bos_token', 'eos_token', 'pad_token', 'unk_token'] as const;

export function readSpecialTokens({ config, generation }: TextFiles, vocabulary: Vocabulary): SpecialTokens {
  const variables = Object.fromEntries(names.map(name => [name, textOf(config.content[name])]));
  const idOf = (name: (typeof names)[number]) => vocabulary.idOf(variables[name]!);
  const ownEos = idOf('eos_token');
  if (variables.eos_token && ownEos === undefined) {
    throw new TextError(
      `${config.path}: eos_token ${JSON.stringify(variables.eos_token)} is not in the vocabulary.`,
    );
  }
  const generationIds = readIds(generation?.content, 'eos_token_id');
  return {
    bosId: idOf('bos_token'),
    padId: idOf('pad_token') ?? readIds(generation?.content, 'pad_token_id')[0],
    eosIds: [...new Set([...(ownEos === undefined ? [] : [ownEos]), ...generationIds])],
    variables,
  };
}

/** A token is a string, or an object with the string as `content`. */
function textOf(token: unknown): string {
  const text = isObject(token) ? token.content : token;
  return typeof text === 'string' ? text : '';
}

function readIds(content: Json | undefined, key: string): number[] {
  return [content?.[key]].flat().filter(id => Number.isInteger(id)) as number[];
}
