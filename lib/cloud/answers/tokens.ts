// The tokenizer of the base model, which all of its adapters share.
import {
  detokenizeRequest,
  parseRequest,
  type Shape,
  tokenizeRequest,
  type tokenizerInfo,
  type tokens,
} from '../../contract/index.js';
import { toApiError } from '../engine-faults.js';
import type { InferenceBackend } from '../seams/backend.js';
import { askOnce } from './choices.js';

interface Asked {
  /** Whose turn it is. */
  caller: string;
  signal: AbortSignal;
}

interface Tokens {
  describe(signal: AbortSignal): Promise<Shape<typeof tokenizerInfo>>;
  encode(body: unknown, asked: Asked): Promise<Shape<typeof tokens>>;
  decode(body: unknown, asked: Asked): Promise<{ prompt: string }>;
}

export function createTokens(backend: InferenceBackend): Tokens {
  return {
    async describe(signal) {
      const facts = await askOnce(backend, 'describe', {}, signal).catch(refuse('model'));
      return {
        bos_token: facts.bosToken ?? null,
        eos_token: facts.eosToken ?? null,
        pad_token: facts.padToken ?? null,
        chat_template: facts.chatTemplate ?? null,
      };
    },
    async encode(body, { caller, signal }) {
      const { prompt: text, add_special_tokens: addSpecialTokens = true } = parseRequest(
        tokenizeRequest,
        body,
      );
      const task = { text, addSpecialTokens, caller };
      const ids = await askOnce(backend, 'encode', task, signal).catch(refuse('prompt'));
      return { tokens: ids, count: ids.length };
    },
    async decode(body, { caller, signal }) {
      const { tokens: ids } = parseRequest(detokenizeRequest, body);
      const task = { ids, caller };
      return { prompt: await askOnce(backend, 'decode', task, signal).catch(refuse('tokens')) };
    },
  };
}

const refuse = (field: string) => (error: unknown) => {
  throw toApiError(error, { conversation: field });
};
