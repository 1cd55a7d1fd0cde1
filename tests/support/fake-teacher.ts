// A server with OpenAI's chat completions on loopback. It counts what it is asked; a test decides what it answers, and when.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { sendError, sendJson } from './fake-account.js';

interface TeacherRequest {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown> & { messages: { role: string; content: string }[] };
  /** What was asked last. */
  question: string;
}

/** A text, or a message with its reason to finish and the probabilities of its tokens. */
type TeacherAnswer =
  | string
  | { content?: string | null; tool_calls?: unknown[]; finish_reason?: string; logprobs?: unknown };

export type FakeTeacher = Awaited<ReturnType<typeof openFakeTeacher>>;

export async function openFakeTeacher() {
  const state = {
    /** The model that it knows. */
    model: 'teacher',
    requests: [] as TeacherRequest[],
    answer: ({ question }: TeacherRequest): TeacherAnswer | Promise<TeacherAnswer> => `answer to ${question}`,
    /** Returns true if it has answered. */
    intercept: (_request: TeacherRequest, _response: ServerResponse): boolean => false,
  };
  const server = createServer(async (message, response) => {
    const body = (await json(message)) as TeacherRequest['body'];
    const request = { headers: message.headers, body, question: body.messages.at(-1)!.content };
    state.requests.push(request);
    if (state.intercept(request, response)) return;
    if (body.model !== state.model)
      return void sendError(response, 404, 'model_not_found', `The model \`${body.model}\` does not exist.`);
    const given = await state.answer(request);
    const {
      finish_reason = 'stop',
      logprobs,
      ...answer
    } = typeof given === 'string' ? { content: given } : given;
    sendJson(response, {
      id: 'chatcmpl-1',
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...answer }, logprobs }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** What was asked, in the order in which it arrived. */
    questions: () => state.requests.map(({ question }) => question),
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => void server.close(resolve));
    },
  });
}
