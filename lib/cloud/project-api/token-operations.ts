// The tokenizer of the base model, which all of its adapters share.
import {
  detokenizeRequest,
  parseRequest,
  type Shape,
  tokenizeRequest,
  type tokenizerInfo,
} from '../../contract/index.js';
import { readJson } from '../../http/index.js';
import { askOnce } from '../answers/pieces.js';
import { toApiError } from '../engine-faults.js';
import type { InferenceBackend } from '../seams/backend.js';
import type { Operations } from './call.js';

export function tokenOperations(
  backend: InferenceBackend,
): Operations<'describeTokenizer' | 'tokenize' | 'detokenize'> {
  return {
    async describeTokenizer({ request }): Promise<Shape<typeof tokenizerInfo>> {
      const facts = await askOnce(backend, 'describe', {}, request.signal).catch(refuse('model'));
      return {
        bos_token: facts.bosToken ?? null,
        eos_token: facts.eosToken ?? null,
        pad_token: facts.padToken ?? null,
        chat_template: facts.chatTemplate ?? null,
      };
    },
    async tokenize({ request, caller }) {
      const asked = parseRequest(tokenizeRequest, await readJson(request));
      const { prompt: text, add_special_tokens: addSpecialTokens = true } = asked;
      const task = { text, addSpecialTokens, caller };
      const tokens = await askOnce(backend, 'encode', task, request.signal).catch(refuse('prompt'));
      return { tokens, count: tokens.length };
    },
    async detokenize({ request, caller }) {
      const { tokens: ids } = parseRequest(detokenizeRequest, await readJson(request));
      const task = { ids, caller };
      return { prompt: await askOnce(backend, 'decode', task, request.signal).catch(refuse('tokens')) };
    },
  };
}

const refuse = (field: string) => (error: unknown) => {
  throw toApiError(error, { conversation: field });
};
