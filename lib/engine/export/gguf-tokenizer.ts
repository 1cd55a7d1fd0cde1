// A model's tokenizer, special tokens and chat template as a GGUF file has them. llama.cpp knows two kinds of tokenizers:
// byte-level ones, whose way to split texts has a name, and SentencePiece's. Others are rejected.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateVariables } from '../../contract/index.js';
import { findSplitName, findWordSplit, isSameValue, type Metadata } from '../gguf/index.js';
import { type ModelText, openText } from '../text/index.js';
import { WeightsError } from '../weights/index.js';
import { uint32 } from './gguf-metadata.js';
import { presetVariables } from './preset-variables.js';

/** The parts of a `tokenizer.json` that matter here; `openText` has checked it. */
interface TokenizerFile {
  normalizer?: Step | null;
  pre_tokenizer?: Step | null;
  added_tokens?: { id: number; content: string; special?: boolean }[];
  model: {
    vocab: Record<string, number>;
    merges: Merge[];
    unk_token?: string | null;
    byte_fallback?: boolean;
    ignore_merges?: boolean;
  };
}

interface Step {
  type: string;
  pattern?: { String?: string };
  content?: string;
  prepend?: string;
  prepend_scheme?: string;
  split?: boolean;
  normalizers?: Step[];
}

/** `rows`: how many tokens the model has weights for. */
export async function tokenizerMetadata(
  folder: string,
  rows: number,
  variables?: TemplateVariables,
): Promise<Metadata> {
  const text = await openText(folder);
  const path = join(folder, 'tokenizer.json');
  const file = JSON.parse(await readFile(path, 'utf8')) as TokenizerFile;
  const { tokens, kinds } = listTokens(file, rows);
  const pre = findSplitName(file);
  const kind = pre ? toByteLevel(file, pre) : toSentencePiece(file, tokens, kinds, path);
  return {
    ...kind,
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
    'tokenizer.ggml.token_type': { type: 'int32s', value: kinds },
    ...specialTokens(text, tokens),
    ...chatTemplates(text, variables),
  };
}

/** What a token is for, as numbers in the file. */
const KINDS = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 };

const BYTE = /^<0x[0-9A-F]{2}>$/;

function listTokens({ added_tokens: added = [], model }: TokenizerFile, rows: number) {
  const tokens = Array.from({ length: rows }, (_, id) => `[PAD${id}]`);
  const kinds = tokens.map(() => KINDS.unused);
  const set = (id: number, token: string, kind: number) => {
    if (id < rows) [tokens[id], kinds[id]] = [token, kind];
  };
  const kindOf = (token: string) =>
    token === model.unk_token
      ? KINDS.unknown
      : model.byte_fallback && BYTE.test(token)
        ? KINDS.byte
        : KINDS.normal;
  for (const [token, id] of Object.entries(model.vocab)) set(id, token, kindOf(token));
  for (const { id, content, special } of added) {
    const isUnknown = content === model.unk_token;
    set(id, content, isUnknown ? KINDS.unknown : special ? KINDS.control : KINDS.userDefined);
  }
  return { tokens, kinds };
}

function toByteLevel({ model }: TokenizerFile, pre: string): Metadata {
  const merges = model.merges.map(merge => (typeof merge === 'string' ? merge : merge.join(' ')));
  return {
    'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
    'tokenizer.ggml.pre': { type: 'string', value: pre },
    'tokenizer.ggml.merges': { type: 'strings', value: merges },
  };
}

/** llama.cpp writes tokens that users defined as they are, so these have spaces. Changes `tokens`. */
function toSentencePiece(
  file: TokenizerFile,
  tokens: string[],
  kinds: readonly number[],
  path: string,
): Metadata {
  const addsSpace = findPrefix(file);
  const learned = new Set(tokens.filter((_, id) => kinds[id] === KINDS.normal));
  const scores = addsSpace === undefined ? undefined : scoreTokens(file.model, learned);
  if (addsSpace === undefined || !scores || !kinds.includes(KINDS.byte))
    throw new WeightsError(
      path,
      'cannot be written as GGUF: llama.cpp has no tokenizer that splits texts in the same way. Use "svc jobs download --merged" without "--format gguf" instead.',
    );
  const all = tokens.map(token => scores.get(token) ?? 0);
  for (const [id, kind] of kinds.entries())
    if (kind === KINDS.userDefined) tokens[id] = tokens[id]!.replaceAll(SPACE, ' ');
  return {
    'tokenizer.ggml.model': { type: 'string', value: 'llama' },
    'tokenizer.ggml.scores': { type: 'float32s', value: all },
    'tokenizer.ggml.add_space_prefix': { type: 'flag', value: addsSpace },
  };
}

const SPACE = '▁';

/** Whether a space comes before a text; undefined if spaces are not written as SentencePiece does. */
function findPrefix({ normalizer, pre_tokenizer: words, model }: TokenizerFile): boolean | undefined {
  if (!model.byte_fallback || model.ignore_merges) return undefined;
  const steps =
    normalizer?.type === 'Sequence' ? (normalizer.normalizers ?? []) : normalizer ? [normalizer] : [];
  const isReplace = ({ type, pattern, content }: Step) =>
    type === 'Replace' && pattern?.String === ' ' && content === SPACE;
  const isPrefix = ({ type, prepend }: Step) => type === 'Prepend' && prepend === SPACE;
  if (words?.type === 'Metaspace')
    return steps.length === 0 && words.split === false ? words.prepend_scheme !== 'never' : undefined;
  // Every space is replaced before words are split at spaces.
  const keepsWhole = !words || (words.type === 'Split' && words.pattern?.String === ' ');
  const isKnown = steps.some(isReplace) && steps.every(step => isReplace(step) || isPrefix(step));
  return keepsWhole && isKnown ? steps.some(isPrefix) : undefined;
}

function specialTokens(text: ModelText, tokens: readonly string[]): Metadata {
  const { bosToken, padToken } = text.facts;
  const idOf = (token: string | undefined) => (token === undefined ? -1 : tokens.indexOf(token));
  const frame = findFrame(text);
  const [eos = -1, ...others] = text.endIds;
  const bos = idOf(bosToken);
  const ids = {
    // Without one of its own, llama.cpp assumes one.
    bos: bos < 0 ? eos : bos,
    eos,
    eot: others[0] ?? -1,
    eom: others[1] ?? -1,
    padding: idOf(padToken),
  };
  const given = Object.entries(ids).filter(([, id]) => id >= 0 && id < tokens.length);
  return {
    ...Object.fromEntries(given.map(([name, id]) => [`tokenizer.ggml.${name}_token_id`, uint32(id)])),
    'tokenizer.ggml.add_bos_token': { type: 'flag', value: bos >= 0 && frame.before[0] === bos },
    'tokenizer.ggml.add_eos_token': { type: 'flag', value: eos >= 0 && frame.after[0] === eos },
  };
}

/** Whether llama.cpp begins each text with a special token. */
export function addsBos(metadata: Metadata): boolean {
  const [flag, model, pre] = ['add_bos_token', 'model', 'pre'].map(
    key => metadata[`tokenizer.ggml.${key}`]?.value,
  );
  if (flag !== undefined) return flag === true;
  return model === 'llama' || findWordSplit(String(pre))?.addsBos === true;
}

/** The special tokens around a text. */
function findFrame(text: ModelText) {
  const [own, framed] = [text.encode('a'), text.encode('a', { addSpecialTokens: true })];
  const start = framed.indexOf(own[0]!);
  return { before: framed.slice(0, start), after: framed.slice(start + own.length) };
}

const [TEMPLATE, TOOL_TEMPLATE] = ['tokenizer.chat_template', 'tokenizer.chat_template.tool_use'];
/** The list of their names, too. */
const ANY_TEMPLATE = /^tokenizer\.chat_template(?:s$|\.|$)/;

/** What a GGUF file says of chats, unless the folder that was made of it has been given other templates since. */
export function updateTemplates(kept: Metadata, text: ModelText, variables?: TemplateVariables): Metadata {
  const own = chatTemplates(text, variables);
  const isKept = [TEMPLATE, TOOL_TEMPLATE].every(key => {
    const [before, now] = [kept[key], own[key]];
    return before && now ? isSameValue(before, now) : before === now;
  });
  if (isKept || !own[TEMPLATE]) return kept;
  const others = Object.entries(kept).filter(([key]) => !ANY_TEMPLATE.test(key));
  return { ...Object.fromEntries(others), ...own };
}

function chatTemplates({ facts }: ModelText, variables: TemplateVariables | undefined): Metadata {
  const named = { [TEMPLATE]: facts.chatTemplate, [TOOL_TEMPLATE]: facts.toolTemplate };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([key, value]) => [key, { type: 'string', value: presetVariables(value!, variables) }]),
  );
}

type Merge = string | readonly [left: string, right: string];

interface Pairs {
  vocab: Readonly<Record<string, number>>;
  merges: readonly Merge[];
}

/**
 * SentencePiece merges the two neighbors that make the token with the best score; byte-pair encoding has an order of pairs. Where
 * both are the same rule, the scores follow from the order. Null if the merges leave out a pair that makes one of the `learned`
 * tokens, or come in turns for two of them.
 */
function scoreTokens({ vocab, merges }: Pairs, learned: ReadonlySet<string>): Map<string, number> | null {
  const scores = new Map<string, number>();
  const pairs = new Set<string>();
  let previous = '';
  for (const [rank, merge] of merges.entries()) {
    const [left, right] = typeof merge === 'string' ? merge.split(' ') : merge;
    const token = `${left}${right}`;
    pairs.add(`${left} ${right}`);
    if (token !== previous && scores.has(token)) return null;
    if (token !== previous) scores.set(token, -rank);
    previous = token;
  }
  for (const token of learned) {
    for (let at = 1; at < token.length; at++) {
      const [left, right] = [token.slice(0, at), token.slice(at)];
      const isPair = Object.hasOwn(vocab, left) && Object.hasOwn(vocab, right);
      if (isPair && !pairs.has(`${left} ${right}`)) return null;
    }
  }
  return scores;
}
