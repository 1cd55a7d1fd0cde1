// From a GGUF file's metadata to the files that describe a model's text in Hugging Face's layout: its tokenizer, special
// tokens, chat template and sampling defaults.
import { quote, WeightsError } from '../weights/index.js';
import type { Facts } from './read-header.js';
import { learnMerges, type Merge } from './score-merges.js';
import { findWordSplit, type WordSplit } from './word-patterns.js';

type Json = Readonly<Record<string, unknown>>;

/** What a token is for, as numbers in the file. */
const KINDS = { normal: 1, unknown: 2, control: 3, userDefined: 4 };

interface TokenList {
  file: string;
  facts: Facts;
  tokens: readonly string[];
  ids: ReadonlyMap<string, number>;
  kinds: readonly number[];
}

/** The parts of a tokenizer.json that depend on its kind. */
interface Parts {
  normalizer: Json | null;
  pre_tokenizer: Json | null;
  decoder: Json;
  model: { merges: readonly Merge[] } & Json;
  addsBos: boolean;
}

export function toTextFiles(file: string, facts: Facts, rows: number): Record<string, Json> {
  const list = readTokens(file, facts, rows);
  const { addsBos, model, ...parts } = TOKENIZERS[readKind(file, facts)](list);
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: toAddedTokens(list),
    ...parts,
    post_processor: toFrame(list, addsBos),
    model: { type: 'BPE', dropout: null, vocab: Object.fromEntries(list.ids), ...model },
  };
  return {
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': toTokenizerConfig(list),
    'generation_config.json': toGenerationConfig(list),
  };
}

function readTokens(file: string, facts: Facts, rows: number): TokenList {
  const tokens = facts.texts('tokenizer.ggml.tokens') ?? [];
  const kinds = facts.numbers('tokenizer.ggml.token_type') ?? tokens.map(() => KINDS.normal);
  if (tokens.length === 0) throw new WeightsError(file, 'has no tokens');
  if (tokens.length > rows)
    throw new WeightsError(file, `has ${tokens.length} tokens, but weights for ${rows} only`);
  if (kinds.length !== tokens.length)
    throw new WeightsError(
      file,
      `is damaged: it has ${tokens.length} tokens, but ${kinds.length} token types`,
    );
  const ids = new Map<string, number>();
  for (const [id, token] of tokens.entries()) if (!ids.has(token)) ids.set(token, id);
  return { file, facts, tokens, ids, kinds };
}

const TOKENIZERS = { gpt2: toByteLevel, llama: toSentencePiece };

/** Throws if it is not supported. */
function readKind(file: string, facts: Facts): keyof typeof TOKENIZERS {
  const kind = facts.text('tokenizer.ggml.model') ?? '';
  if (kind === 'gpt2' || kind === 'llama') return kind;
  throw new WeightsError(file, `has a tokenizer of type ${quote(kind)}; supported are gpt2 and llama`);
}

/** Throws if it is not supported. */
function readWordSplit(file: string, facts: Facts): WordSplit {
  const name = facts.text('tokenizer.ggml.pre') ?? guessSplit(facts);
  if (name === undefined)
    throw new WeightsError(file, 'does not say how it splits text; newer files of this model do');
  const words = findWordSplit(name);
  if (words) return words;
  throw new WeightsError(file, `splits text in the way ${quote(name)}, which is not supported`);
}

const LLAMA3_TOKENS = 128_256;

/** How the models split whose files were made before llama.cpp wrote it. */
function guessSplit(facts: Facts): string | undefined {
  const architecture = facts.text('general.architecture');
  if (architecture === 'qwen2') return 'qwen2';
  return facts.number('llama.vocab_size') === LLAMA3_TOKENS ? 'llama-bpe' : undefined;
}

/** Throws if the tokenizer is of a kind that is not supported. Reads no tokens. */
export function requireTokenizer(file: string, facts: Facts): void {
  if (readKind(file, facts) === 'gpt2') readWordSplit(file, facts);
}

function toByteLevel({ file, facts }: TokenList): Parts {
  const words = readWordSplit(file, facts);
  const { steps, asGpt2 = false, ignoresMerges = false, addsBos = false, normalizer = null } = words;
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: asGpt2 };
  return {
    normalizer,
    pre_tokenizer: { type: 'Sequence', pretokenizers: [...steps, bytes] },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      merges: facts.texts('tokenizer.ggml.merges') ?? [],
      byte_fallback: false,
      ignore_merges: ignoresMerges,
    },
    addsBos,
  };
}

function toSentencePiece({ file, facts, tokens, ids, kinds }: TokenList): Parts {
  const scores = facts.numbers('tokenizer.ggml.scores') ?? [];
  if (scores.length !== tokens.length)
    throw new WeightsError(file, `is damaged: it has ${tokens.length} tokens, but ${scores.length} scores`);
  const addsSpace = facts.flag('tokenizer.ggml.add_space_prefix') ?? true;
  const spaces = { type: 'Replace', pattern: { String: ' ' }, content: '▁' };
  const prefix = { type: 'Prepend', prepend: '▁' };
  const decoders = [
    { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
    { type: 'ByteFallback' },
    { type: 'Fuse' },
    ...(addsSpace ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
  ];
  const unknown = kinds.indexOf(KINDS.unknown);
  const learned = tokens.flatMap((token, id) =>
    kinds[id] === KINDS.normal && ids.get(token) === id ? id : [],
  );
  const merges = learnMerges({ tokens, ids, scores }, learned);
  if (!merges) throw new WeightsError(file, 'has tokens that consist of each other in too many ways');
  return {
    normalizer: addsSpace ? { type: 'Sequence', normalizers: [prefix, spaces] } : spaces,
    pre_tokenizer: null,
    decoder: { type: 'Sequence', decoders },
    model: {
      merges,
      unk_token: tokens[unknown] ?? null,
      fuse_unk: true,
      byte_fallback: true,
      ignore_merges: false,
    },
    addsBos: true,
  };
}

/** The tokens of Phi-3 that leave the spaces after them. Files do not say it. */
const PHI3_KEEPS = ['<unk>', '<s>', '<|endoftext|>'];

function toAddedTokens({ file, facts, tokens, kinds }: TokenList): Json[] {
  const isPhi3 = facts.text('general.architecture') === 'phi3' && readKind(file, facts) === 'llama';
  const flags = { single_word: false, lstrip: false, normalized: false };
  return tokens.flatMap((content, id) => {
    const kind = kinds[id];
    const special = kind === KINDS.control || kind === KINDS.unknown;
    return content !== '' && (special || kind === KINDS.userDefined)
      ? [{ id, content, ...flags, rstrip: isPhi3 && !PHI3_KEEPS.includes(content), special }]
      : [];
  });
}

function tokenAt({ file, facts, tokens }: TokenList, name: string): string | undefined {
  const key = `tokenizer.ggml.${name}_token_id`;
  const id = facts.number(key);
  if (id === undefined) return undefined;
  const token = tokens[id];
  if (token !== undefined) return token;
  throw new WeightsError(
    file,
    `is damaged: its key ${quote(key)} is ${id}, but it has ${tokens.length} tokens`,
  );
}

/** The special tokens around a text. */
function toFrame(list: TokenList, addsBos: boolean): Json | null {
  const { facts, ids } = list;
  const before = (facts.flag('tokenizer.ggml.add_bos_token') ?? addsBos) ? tokenAt(list, 'bos') : undefined;
  const after = facts.flag('tokenizer.ggml.add_eos_token') ? tokenAt(list, 'eos') : undefined;
  const added = [before, after].filter(token => token !== undefined);
  if (added.length === 0) return null;
  const mark = (token: string | undefined, type_id: number) =>
    token === undefined ? [] : [{ SpecialToken: { id: token, type_id } }];
  const text = (id: string, type_id: number) => [
    ...mark(before, type_id),
    { Sequence: { id, type_id } },
    ...mark(after, type_id),
  ];
  return {
    type: 'TemplateProcessing',
    single: text('A', 0),
    pair: [...text('A', 0), ...text('B', 1)],
    special_tokens: Object.fromEntries(
      added.map(token => [token, { id: token, ids: [ids.get(token)], tokens: [token] }]),
    ),
  };
}

function toTokenizerConfig(list: TokenList): Json {
  const { facts } = list;
  const template = facts.text('tokenizer.chat_template');
  const withTools = facts.text('tokenizer.chat_template.tool_use');
  const templates = [
    { name: 'default', template },
    { name: 'tool_use', template: withTools },
  ];
  return {
    bos_token: tokenAt(list, 'bos'),
    eos_token: tokenAt(list, 'eos'),
    unk_token: tokenAt(list, 'unknown'),
    pad_token: tokenAt(list, 'padding'),
    chat_template: template !== undefined && withTools !== undefined ? templates : template,
    clean_up_tokenization_spaces: false,
    tokenizer_class: 'PreTrainedTokenizerFast',
  };
}

export const hasTemplate = (facts: Facts) => facts.text('tokenizer.chat_template') !== undefined;

/** As in generation_config.json. */
export function toSamplingConfig(facts: Facts): Json {
  return {
    temperature: facts.number('general.sampling.temp'),
    top_p: facts.number('general.sampling.top_p'),
    top_k: facts.number('general.sampling.top_k'),
  };
}

function toGenerationConfig({ facts }: TokenList): Json {
  const id = (name: string) => facts.number(`tokenizer.ggml.${name}_token_id`);
  const ends = [id('eos'), id('eot'), id('eom')].filter(end => end !== undefined);
  return {
    bos_token_id: id('bos'),
    eos_token_id: ends.length > 0 ? [...new Set(ends)] : undefined,
    pad_token_id: id('padding'),
    ...toSamplingConfig(facts),
  };
}
