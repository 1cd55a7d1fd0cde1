// Embeds texts: the mean of the model's last hidden states, normalized to length 1.
import { ApiError, type EmbeddingList, type EmbeddingRequest, toPromptList } from '../../contract/index.js';
import type { Embedding } from '../../engine/index.js';
import { type AnswerDeps, type ModelCall, toRefusal } from './answer.js';
import { withPatience } from './patience.js';
import { askOnce } from './pieces.js';
import { traceEmbeddings } from './trace-answer.js';

/** Texts of one request computed at a time, so that one request does not fill the queue. */
const AT_ONCE = 8;

type EmbedDeps = Pick<AnswerDeps, 'backend' | 'clock' | 'log' | 'tracer'>;

export function embed(deps: EmbedDeps, request: EmbeddingRequest, call: ModelCall): Promise<EmbeddingList> {
  const compute = () => computeEmbeddings(deps, request, call);
  if (!deps.tracer) return compute();
  const { model: requested, encoding_format: encodingFormat } = request;
  const { name: model, requestId, signal } = call;
  return traceEmbeddings(deps.tracer, { requested, model, requestId, signal, encodingFormat }, compute);
}

async function computeEmbeddings(
  { backend, clock, log }: EmbedDeps,
  request: EmbeddingRequest,
  call: ModelCall,
): Promise<EmbeddingList> {
  const { adapter, caller, isLowPriority, name } = call;
  const inputs = toPromptList(request.input);
  const found: Embedding[] = [];
  const failed = new AbortController();
  const either = AbortSignal.any([call.signal, failed.signal]);
  const patient = withPatience(backend, clock);
  let next = 0;
  async function embedNext(): Promise<void> {
    for (let index = next++; index < inputs.length; index = next++) {
      const task = { prompt: inputs[index]!, adapter, caller, isLowPriority };
      // If one of the first is refused, the whole request is. Later ones wait, so that nothing that was computed is lost.
      const asked = index < AT_ONCE ? backend : patient;
      found[index] = await askOnce(asked, 'embed', task, either);
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, embedNext));
  } catch (error) {
    failed.abort();
    throw await toRefusal(error, call, { conversation: 'input' }, log);
  }
  const promptTokens = found.reduce((sum, embedding) => sum + embedding.promptTokens, 0);
  return {
    object: 'list',
    data: found.map(({ values }, index) => ({
      object: 'embedding',
      index,
      embedding: write(values, request),
    })),
    model: name,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

function write(values: Float32Array, { dimensions = values.length, encoding_format }: EmbeddingRequest) {
  if (dimensions > values.length)
    throw new ApiError('invalid_value', `\`dimensions\`: the model has ${values.length}.`, {
      param: 'dimensions',
    });
  const unit = normalize(values.subarray(0, dimensions));
  return encoding_format === 'base64' ? toBase64(unit) : [...unit];
}

function normalize(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return length === 0 ? values : values.map(value => value / length);
}

/** Little-endian on every machine. */
function toBase64(values: Float32Array): string {
  const bytes = Buffer.alloc(values.length * Float32Array.BYTES_PER_ELEMENT);
  values.forEach((value, i) => {
    bytes.writeFloatLE(value, i * Float32Array.BYTES_PER_ELEMENT);
  });
  return bytes.toString('base64');
}
