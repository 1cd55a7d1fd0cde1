// The official client reads what the format writes, without a server in between.
import OpenAI from 'openai';
import { expect, it } from 'vitest';
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

it('the official client sees how a stream ended', async () => {
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
