// The official client reads what the format writes, without a server in between.
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../lib/cloud/openai/answer-format.js';
import type { ChoicePiece } from '../../../../lib/cloud/openai/choices.js';
import { responsesFormat } from '../../../../lib/cloud/openai/responses/format.js';
import { readResponsesRequest } from '../../../../lib/cloud/openai/responses/read-request.js';
import type { Piece } from '../../../../lib/engine/index.js';
import { end, text } from '../../inference/scripted-backend.js';

const ASKED = { model: 'm', input: 'Hi' };

async function* pieces(...list: (Piece | Error)[]): AsyncGenerator<ChoicePiece> {
  for (const piece of list) {
    if (piece instanceof Error) throw piece;
    yield { index: 0, piece };
  }
}

function clientFor(...answer: (Piece | Error)[]): OpenAI {
  async function fetch(_: unknown, init?: RequestInit): Promise<Response> {
    const { asked, chat } = readResponsesRequest(JSON.parse(String(init?.body)));
    const format = responsesFormat(asked)(chat, {
      id: 'chatcmpl-1',
      created: 1_700_000_000,
      model: 'm',
      system_fingerprint: 'fp_1',
    });
    if (!chat.stream) return Response.json(await format.collect(pieces(...answer)));
    let body = '';
    const write = ({ event, data }: AnswerEvent) => {
      body += `event: ${event}\ndata: ${data}\n\n`;
    };
    try {
      for await (const event of format.events(pieces(...answer))) write(event);
    } catch (error) {
      write(format.failure(error));
    }
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }
  return new OpenAI({ apiKey: 'x', baseURL: 'http://localhost', fetch, maxRetries: 0 });
}

describe('the official client', () => {
  it('joins the text of a response', async () => {
    const found = await clientFor(text('Hel'), text('lo'), end(5, 2)).responses.create(ASKED);
    expect(found).toMatchObject({ status: 'completed', output_text: 'Hello' });
  });

  it('assembles the events of a stream to the same response', async () => {
    const stream = clientFor(text('Hel'), text('lo'), end(5, 2)).responses.stream(ASKED);
    const deltas: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => deltas.push(delta));
    const found = await stream.finalResponse();
    expect(found).toMatchObject({
      status: 'completed',
      output: [{ status: 'completed', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { total_tokens: 7 },
    });
    expect(deltas).toEqual(['Hel', 'lo']);
  });

  it('sees how a stream ended', async () => {
    const lastOf = async (...answer: (Piece | Error)[]) => {
      const types: string[] = [];
      const stream = await clientFor(...answer).responses.create({ ...ASKED, stream: true });
      for await (const { type } of stream) types.push(type);
      return types.at(-1);
    };
    expect(await lastOf(text('H'), end(5, 1))).toBe('response.completed');
    expect(await lastOf(text('H'), end(5, 1, 'length'))).toBe('response.incomplete');
    expect(await lastOf(text('H'), new Error('/secret/path'))).toBe('response.failed');
  });
});
