import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Question, ServingDoor } from '../../../lib/cloud/seams/backend.js';
import { type AskKind, type EchoPiece, EngineError, type Piece } from '../../../lib/engine/index.js';
import { writeOutput } from '../../../lib/engine/process/messages.js';
import { openServer } from '../../support/listening.js';

export interface EngineServer {
  url: string;
  /** Cuts every answer. */
  breakDown(): void;
  close(): Promise<void>;
}

type Body = Record<string, unknown>;
type Answer = (
  asked: IncomingMessage,
  body: Body,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<void>;

const PIECE_MS = 2;

async function openEngineServer(engine: Backend, answer: Answer): Promise<EngineServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Body;
    const left = new AbortController();
    response.on('close', () => left.abort());
    try {
      await answer(request, body, response, left.signal);
      response.end();
    } catch (error) {
      if (!left.signal.aborted) response.destroy(error as Error);
    }
  });
  const { url, cut, close } = await openServer(server);
  return {
    url,
    breakDown: cut,
    async close() {
      await close();
      await engine.close();
    },
  };
}

/** One replica of the application on Ray Serve. It gets adapters through the cloud's door. */
export function openReplica(engine: Backend, door: () => ServingDoor): Promise<EngineServer> {
  return openEngineServer(engine, async ({ headers }, { kind, task }, response, signal) => {
    const { adapter } = task as Question<'chat'>;
    const fail = ({ code, message, part }: EngineError) =>
      response.write(`failed ${JSON.stringify({ code, message, part })}\n`);
    response.writeHead(200, { 'x-svc-adapter': 'loaded' });
    if (typeof adapter === 'string') {
      const folder = door().findAdapter(String(headers['x-svc-ticket']), adapter);
      if (folder === null) return void fail(new EngineError('engine_unavailable', 'It cannot be fetched.'));
      await engine.load({ sha256: adapter, folder });
    }
    try {
      for await (const output of engine.ask(kind as AskKind, task as Question<'chat'>, signal)) {
        response.write(`output ${writeOutput(output)}\n`);
        await sleep(PIECE_MS);
      }
      response.write('ended {}\n');
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      fail(error);
    }
  });
}

const BASE = 'base';

/** A server that speaks vLLM's protocol. */
export function openVllm(engine: Backend): Promise<EngineServer> {
  const adapters = new Map<string, string>();
  return openEngineServer(engine, async ({ url = '' }, body, response, signal) => {
    const refuse = (status: number, message: string) =>
      void response.writeHead(status).write(JSON.stringify({ error: { message } }));
    if (url === '/v1/models')
      return void response.write(JSON.stringify({ data: [{ id: BASE, parent: null }] }));
    const name = String(body.lora_name);
    const sha256 = name.replace('svc-', '');
    if (url === '/v1/load_lora_adapter') {
      if (adapters.has(name)) return refuse(400, `The lora adapter '${name}' has already been loaded.`);
      adapters.set(name, sha256);
      return engine.load({ sha256, folder: String(body.lora_path) });
    }
    if (url === '/v1/unload_lora_adapter') {
      if (!adapters.delete(name)) return refuse(404, `The lora adapter '${name}' cannot be found.`);
      return engine.unload(sha256);
    }
    const model = String(body.model);
    const adapter = adapters.get(model) ?? null;
    if (model !== BASE && adapter === null) return refuse(404, `The model '${model}' does not exist.`);
    const kind = url.includes('chat') ? 'chat' : 'complete';
    try {
      const pieces = engine.ask(kind, toTask(body, adapter) as Question<'chat'>, signal);
      for await (const data of toChunks(kind, pieces)) response.write(`data: ${data}\n\n`);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'context_length_exceeded') throw error;
      refuse(400, "This model's maximum context length is 512 tokens.");
    }
  });
}

function toTask({ messages, prompt, max_tokens, temperature, seed }: Body, adapter: string | null): object {
  const given = { maxTokens: max_tokens, temperature, seed };
  return { messages, prompt, adapter, ...JSON.parse(JSON.stringify(given)) };
}

async function* toChunks(kind: 'chat' | 'complete', pieces: AsyncIterable<Piece | EchoPiece>) {
  for await (const piece of pieces) {
    const { text, finishReason } = piece;
    await sleep(PIECE_MS);
    const said = kind === 'chat' ? { delta: { content: text } } : { text };
    yield JSON.stringify({ choices: [{ ...said, finish_reason: finishReason ?? null }] });
    if (!piece.finishReason) continue;
    const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = piece.usage;
    yield JSON.stringify({ choices: [], usage: { prompt_tokens, completion_tokens } });
    yield '[DONE]';
  }
}
