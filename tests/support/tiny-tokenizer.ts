// Real tokenizers of a few hundred tokens, learned from a sample while the test runs, in a temporary model folder.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteCharacters } from '../../lib/engine/text/vocabulary.js';

/** `gpt2`: bytes. `qwen`: bytes after Unicode normalization, split by a pattern. `llama`: characters, `▁` for spaces. */
export type Style = 'gpt2' | 'qwen' | 'llama';

export interface TinyOptions {
  style?: Style;
  sample?: string;
  merges?: number;
  /** In the order of their ids, the first of them the end-of-text token; all are special. */
  markers?: string[];
  template?: string;
  /** Lays further keys over tokenizer_config.json. */
  config?: Record<string, unknown>;
  tokenizer?: Record<string, unknown>;
  /** Further files, or `null` for one that shall be missing. */
  files?: Record<string, unknown>;
}

const sampleText =
  'The quick brown fox jumps over the lazy dog. What is the answer? The answer is that the dog sleeps.\n' +
  'user and assistant say hello, hello there; the system says: you are a helpful assistant.\n';

export const chatMarkers = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];

export const chatmlTemplate = `
{%- for message in messages %}
  {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
  {{- '<|im_start|>assistant\\n' }}
{%- endif %}`;

/** The folder, which the caller removes. */
export async function makeTextFolder(options: TinyOptions = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-text-'));
  const files: Record<string, unknown> = {
    'tokenizer.json': tinyTokenizer(options),
    'tokenizer_config.json': {
      eos_token: (options.markers ?? chatMarkers)[0],
      chat_template: options.template ?? chatmlTemplate,
      ...options.config,
    },
    ...options.files,
  };
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

/** The content of a tokenizer.json. */
export function tinyTokenizer({
  style = 'gpt2',
  sample,
  merges = 120,
  markers,
  tokenizer,
}: TinyOptions = {}) {
  const { base, write, ...parts } = styles[style];
  const learned = learnMerges(write(sample ?? sampleText), merges);
  const tokens = [...new Set([...base, ...learned.flat(), ...learned.map(pair => pair.join(''))])];
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const added = (markers ?? chatMarkers).map((content, index) => ({
    id: tokens.length + index,
    content,
    special: true,
    normalized: false,
  }));
  const model = { type: 'BPE', vocab, merges: learned, byte_fallback: style === 'llama' };
  return { post_processor: null, ...parts, added_tokens: added, model, ...tokenizer };
}

const byteLevel = (use_regex: boolean) => ({ type: 'ByteLevel', add_prefix_space: false, use_regex });
const wordPattern =
  "'[a-z]+|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+";
const toByteWords = (text: string) =>
  (text.match(/ ?\p{L}+|\n+|[^\p{L}\n]/gu) ?? []).map(word =>
    Array.from(Buffer.from(word), byte => byteCharacters[byte]!),
  );

const styles = {
  gpt2: {
    base: [...byteCharacters],
    write: toByteWords,
    normalizer: null,
    pre_tokenizer: byteLevel(true),
    decoder: { type: 'ByteLevel' },
  },
  qwen: {
    base: [...byteCharacters],
    write: toByteWords,
    normalizer: { type: 'NFC' },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: wordPattern }, behavior: 'Isolated', invert: false },
        byteLevel(false),
      ],
    },
    decoder: { type: 'ByteLevel' },
  },
  llama: {
    base: [
      ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
      ...new Set([...sampleText.replaceAll(' ', '▁')]),
    ],
    write: (text: string) => (text.replaceAll(' ', '▁').match(/▁?[^▁]+/g) ?? []).map(word => [...word]),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Prepend', prepend: '▁' },
        { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
      ],
    },
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        { type: 'Strip', content: ' ', start: 1, stop: 0 },
      ],
    },
  },
} as const;

/** Joins the most frequent pair of neighbors, again and again. */
function learnMerges(words: string[][], count: number): [string, string][] {
  const merges: [string, string][] = [];
  while (merges.length < count) {
    const pairs = new Map<string, number>();
    for (const word of words) {
      for (let at = 1; at < word.length; at++) {
        const pair = `${word[at - 1]} ${word[at]}`;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
    }
    const [best] = [...pairs].sort(([, a], [, b]) => b - a);
    if (!best) break;
    const [left, right] = best[0].split(' ') as [string, string];
    merges.push([left, right]);
    for (const word of words) {
      for (let at = 1; at < word.length; at++) {
        if (word[at - 1] === left && word[at] === right) word.splice(at - 1, 2, left + right);
      }
    }
  }
  return merges;
}
