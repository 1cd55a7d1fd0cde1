// The bytes of a model's tokens, which log-probabilities are reported with. Reads tokenizer.json on its own: the engine
// tells tokens by their numbers. It knows BPE tokenizers, which are all that the engine opens.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a token stands for in a text; a number without a token stands for nothing. */
export type TokenBytes = (id: number) => Uint8Array;

export interface TokenTable {
  /** Read when it is first asked for. */
  read(): Promise<TokenBytes>;
}

interface Decoder {
  type?: string;
  decoders?: Decoder[];
  pattern?: { String?: string };
  content?: string;
  replacement?: string;
}

interface TokenizerFile {
  model: { vocab: Record<string, number> };
  added_tokens?: { id: number; content: string }[];
  decoder?: Decoder | null;
}

export function createTokenTable(modelFolder: string): TokenTable {
  let table: Promise<TokenBytes> | undefined;
  return {
    read() {
      table ??= readTable(join(modelFolder, 'tokenizer.json')).catch(error => {
        table = undefined;
        throw error;
      });
      return table;
    },
  };
}

async function readTable(path: string): Promise<TokenBytes> {
  const {
    model,
    added_tokens: added = [],
    decoder,
  } = JSON.parse(await readFile(path, 'utf8')) as TokenizerFile;
  const tokens: string[] = [];
  for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token;
  const markers = new Map(added.map(({ id, content }) => [id, content]));
  const toBytes = chooseEncoding(decoder);
  return id => {
    const marker = markers.get(id);
    return marker === undefined ? toBytes(tokens[id] ?? '') : encode(marker);
  };
}

function chooseEncoding(decoder: Decoder | null | undefined): (token: string) => Uint8Array {
  const steps = decoder?.type === 'Sequence' ? (decoder.decoders ?? []) : decoder ? [decoder] : [];
  if (steps.some(({ type }) => type === 'ByteLevel')) return fromByteAlphabet;
  const replacements = steps.flatMap(toReplacement);
  const isFallback = steps.some(({ type }) => type === 'ByteFallback');
  return token => {
    const byte = isFallback ? /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1] : undefined;
    if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
    return encode(replacements.reduce((text, [from, to]) => text.replaceAll(from, to), token));
  };
}

function toReplacement({ type, pattern, content = '', replacement = '▁' }: Decoder): [string, string][] {
  if (type === 'Metaspace') return [[replacement, ' ']];
  return type === 'Replace' && pattern?.String ? [[pattern.String, content]] : [];
}

const printable = (byte: number) =>
  (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte <= 0xff && byte !== 0xad);

/** Printable bytes stand for themselves, the others for the characters from U+0100 on, in order. */
const byteAlphabet = new Map<string, number>();
for (let byte = 0, next = 0x100; byte < 256; byte++)
  byteAlphabet.set(String.fromCharCode(printable(byte) ? byte : next++), byte);

function fromByteAlphabet(token: string): Uint8Array {
  const bytes = [...token].map(character => byteAlphabet.get(character));
  return bytes.includes(undefined) ? encode(token) : Uint8Array.from(bytes as number[]);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
