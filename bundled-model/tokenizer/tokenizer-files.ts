// A model as the files that tokenizers load, in Python and here. Keys with default values are included, because readers
// differ in which ones they require.
import { chatTemplate } from './chat-template.js';
import { endOfText, turnEnd, turnStart } from './special-tokens.js';
import { wordPattern } from './split-words.js';
import type { BpeModel } from './train-bpe.js';

interface FileOptions {
  /** The longest text that the model reads, in tokens. Default: 1024. */
  readonly maxLength?: number;
}

/** The content of each file, to write as JSON. */
type TokenizerFiles = Record<'tokenizer.json' | 'tokenizer_config.json', object>;

export function toTokenizerFiles(model: BpeModel, { maxLength = 1024 }: FileOptions = {}): TokenizerFiles {
  return {
    'tokenizer.json': describeTokenizer(model),
    'tokenizer_config.json': describeConfig(model, maxLength),
  };
}

const describeTokenizer = ({ tokens, specials, merges }: BpeModel) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: specials.map((content, id) => ({ id, ...describeSpecial(content) })),
  normalizer: null,
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex: wordPattern }, behavior: 'Isolated', invert: false },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    ],
  },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
  model: {
    type: 'BPE',
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    ignore_merges: false,
    vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    merges,
  },
});

const describeConfig = ({ specials }: BpeModel, maxLength: number) => ({
  tokenizer_class: 'PreTrainedTokenizerFast',
  added_tokens_decoder: Object.fromEntries(specials.map((content, id) => [id, describeSpecial(content)])),
  additional_special_tokens: [turnStart, turnEnd],
  bos_token: null,
  eos_token: turnEnd,
  pad_token: endOfText,
  unk_token: null,
  add_prefix_space: false,
  clean_up_tokenization_spaces: false,
  model_max_length: maxLength,
  chat_template: chatTemplate,
});

const describeSpecial = (content: string) => ({
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});
