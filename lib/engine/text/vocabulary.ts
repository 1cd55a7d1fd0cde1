// The tokens by ID, including added tokens: markers that are matched as a whole.
import { TextError } from './errors.js';
import { isObject, type JsonFile } from './text-files.js';

interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** Whether `skipSpecialTokens` leaves it out of decoded text. */
  readonly special: boolean;
}

export interface Vocabulary {
  readonly size: number;
  readonly added: readonly AddedToken[];
  /** The length of the longest token, as the vocabulary writes it. */
  readonly longest: number;
  idOf(token: string): number | undefined;
  tokenOf(id: number): string | undefined;
  isAdded(id: number): boolean;
  isSpecial(id: number): boolean;
}

/** Supports only BPE models, which all supported architectures have. */
export function readVocabulary({ path, content }: JsonFile): Vocabulary {
  const model = isObject(content.model) ? content.model : {};
  const isBytePair = (model.type ?? 'BPE') === 'BPE' && isObject(model.vocab) && Array.isArray(model.merges);
  if (!isBytePair) {
    const found = typeof model.type === 'string' ? `a ${model.type} model` : 'an unknown model';
    throw new TextError(`${path} has ${found}; only BPE tokenizers are supported.`);
  }

  const added = readAddedTokens(content);
  const ids = new Map(Object.entries(model.vocab as Record<string, number>));
  for (const { content: token, id } of added) ids.set(token, id);
  const tokens: string[] = [];
  for (const [token, id] of ids) tokens[id] = token;
  const addedIds = new Set(added.map(({ id }) => id));
  const specialIds = new Set(added.filter(({ special }) => special).map(({ id }) => id));
  return {
    size: tokens.length,
    added,
    longest: tokens.reduce((most, token) => Math.max(most, token.length), 1),
    idOf: token => ids.get(token),
    tokenOf: id => tokens[id],
    isAdded: id => addedIds.has(id),
    isSpecial: id => specialIds.has(id),
  };
}

function readAddedTokens(content: JsonFile['content']): AddedToken[] {
  const listed = Array.isArray(content.added_tokens) ? content.added_tokens.filter(isObject) : [];
  return listed.map(({ id, content, special }) => ({
    id: id as number,
    content: content as string,
    special: special === true,
  }));
}

/** The source of a regular expression that matches any of these tokens, the longest first. */
export function anyOfPattern(tokens: readonly string[]): string {
  const escaped = tokens.map(token => token.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `(?:${escaped.sort((a, b) => b.length - a.length).join('|') || '(?!)'})`;
}
