import type OpenAI from 'openai';
import type {
  Response as OpenAiResponse,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import type { ChoicePiece } from '../../../../lib/cloud/openai/choices.js';
import type { Head } from '../../../../lib/cloud/openai/documents.js';
import { responsesFormat } from '../../../../lib/cloud/openai/responses/format.js';
import { readResponsesRequest } from '../../../../lib/cloud/openai/responses/read-request.js';
import { ApiError, response, responseEvent } from '../../../../lib/contract/index.js';
import type { Piece } from '../../../../lib/engine/index.js';
import { end, text } from '../../inference/scripted-backend.js';

const head: Head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm', system_fingerprint: 'fp_1' };

async function* pieces(...list: Piece[]): AsyncGenerator<ChoicePiece> {
  for (const piece of list) yield { index: 0, piece };
}

function formatOf(body: object = {}) {
  const { asked, chat } = readResponsesRequest({ model: 'm', input: 'Hi', ...body });
  return responsesFormat(asked)(chat, head);
}

/** The client adds `output_text`. Until the end, the published API sends null as the usage. */
type WireResponse = Omit<OpenAiResponse, 'output_text' | 'usage'> & { usage: ResponseUsage | null };

type ToWire<E> = E extends { response: OpenAiResponse }
  ? Omit<E, 'response'> & { response: WireResponse }
  : E;

/** The official types are the judge: this file does not compile if a document or an event deviates. */
type WireEvent = ToWire<ResponseStreamEvent>;

type ParsedFrom<D> = D extends { readonly parsesTo?: infer T } ? T : never;

const parse = <D extends string>(data: D) => JSON.parse(data) as ParsedFrom<D>;

async function collect(source: AsyncIterable<ChoicePiece>, body?: object): Promise<WireResponse> {
  const document = await formatOf(body).collect(source);
  expect(response.parse(document)).toEqual(document);
  return document;
}

async function eventsOf(source: AsyncIterable<ChoicePiece>, body?: object): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for await (const { event, data } of formatOf(body).events(source)) {
    const parsed: WireEvent = parse(data);
    expect(parsed.type).toBe(event);
    expect(responseEvent.parse(parsed)).toEqual(parsed);
    events.push(parsed);
  }
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
  return events;
}

const scored = { id: 1, logprob: -0.5, bytes: Uint8Array.of(0x48) };
const hi = text('H', [{ ...scored, top: [scored] }]);
const entry = { token: 'H', logprob: -0.5, bytes: [0x48] };

describe('a response', () => {
  it('has the text, the usage, and what was asked', async () => {
    const asked = {
      instructions: 'Be brief.',
      temperature: 0.2,
      metadata: { a: 'b' },
      max_output_tokens: 9,
      user: 'me',
    };
    const found = await collect(pieces(text('Hel'), text('lo'), end(5, 3)), asked);
    expect(found).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      created_at: 1_700_000_000,
      status: 'completed',
      incomplete_details: null,
      error: null,
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello' }],
        },
      ],
      usage: {
        input_tokens: 5,
        output_tokens: 3,
        total_tokens: 8,
        input_tokens_details: { cached_tokens: 0 },
      },
      store: false,
      ...asked,
    });
  });

  it('that was cut is incomplete, and has log probabilities where they were included', async () => {
    const found = await collect(pieces(hi, end(5, 1, 'length')));
    expect(found).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    const [item] = found.output as [OpenAI.Responses.ResponseOutputMessage];
    expect(item.content[0]).toMatchObject({ logprobs: [{ ...entry, top_logprobs: [entry] }] });
  });
});

describe('the events of a response', () => {
  it('come in the order of the format', async () => {
    const events = await eventsOf(pieces(hi, text('i'), end(5, 2)));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events[4]).toMatchObject({ delta: 'H', logprobs: [entry], output_index: 0, content_index: 0 });
    expect(events.at(-1)).toMatchObject({ response: { status: 'completed', usage: { total_tokens: 7 } } });
  });

  it('end with `response.incomplete` where the answer was cut', async () => {
    const events = await eventsOf(pieces(text('H'), end(5, 1, 'length')));
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } });
  });

  it('are none before the engine has accepted the request, and end with a failure after that', async () => {
    const format = formatOf();
    async function* failing(): AsyncGenerator<ChoicePiece> {
      yield { index: 0, piece: text('H') };
      throw new Error('/secret/path');
    }
    const events = format.events(failing());
    for (let i = 0; i < 5; i++) await events.next();
    await expect(events.next()).rejects.toThrow();
    const told = [new Error('/secret/path'), new ApiError('engine_busy', 'Too many.')].map(
      (error): WireEvent => parse(format.failure(error).data),
    );
    expect(told[0]).toMatchObject({
      type: 'response.failed',
      sequence_number: 5,
      response: { status: 'failed', error: { message: 'Something went wrong on our side.' } },
    });
    expect(told[1]).toMatchObject({ response: { error: { message: 'Too many.' } } });

    async function* refusing(): AsyncGenerator<ChoicePiece> {
      yield* [];
      throw new ApiError('engine_busy', 'Too many.');
    }
    await expect(formatOf().events(refusing()).next()).rejects.toThrow('Too many.');
  });
});
