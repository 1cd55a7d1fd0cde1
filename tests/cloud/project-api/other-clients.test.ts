// More clients that people have, against the real engine behind a real socket: only base URL and key are changed.
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { embedMany, generateObject, generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Listening, listen } from '../../../lib/http/index.js';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { type EngineProject, openEngineProject } from './sample-project-api.js';

const Ticket = z.object({ team: z.enum(['billing', 'support']), urgency: z.int().min(1).max(5) });
const Weather = z.object({ city: z.string().max(8) });

let project: EngineProject;
let server: Listening;
let baseURL: string;
let apiKey: string;
beforeAll(async () => {
  // Its tokens are little more than bytes, so descriptions of tools take many.
  project = await openEngineProject(4096);
  apiKey = project.apiKey;
  server = await listen(
    { fetch: request => project.api(request) ?? new Response(null, { status: 404 }) },
    { ports: [0] },
  );
  baseURL = `${server.url.replace(/\/$/, '')}/openai/v1`;
});
afterAll(async () => {
  await server.close();
  await project.close();
});

describe('LangChain', () => {
  const chat = (settings: object = {}) =>
    new ChatOpenAI({ model: BASE_MODEL, apiKey, configuration: { baseURL }, maxRetries: 0, ...settings });

  it('chats, at once and streamed', async () => {
    const answer = await chat({ maxTokens: 8 }).invoke('hello');
    expect((answer.usage_metadata as { output_tokens: number } | undefined)!.output_tokens).toBeGreaterThan(
      0,
    );
    let text = '';
    for await (const chunk of await chat({ maxTokens: 8, temperature: 0 }).stream('hello'))
      text += chunk.text;
    expect((await chat({ maxTokens: 8, temperature: 0 }).invoke('hello')).text).toBe(text);
  });

  it('gets structured output and calls of tools', async () => {
    expect(Ticket.parse(await chat().withStructuredOutput(Ticket).invoke('hello'))).toBeTruthy();
    const tools = [{ name: 'get_weather', description: 'The weather.', schema: Weather }];
    const { tool_calls } = await chat().bindTools(tools, { tool_choice: 'required' }).invoke('hello');
    expect(tool_calls!.length).toBeGreaterThan(0);
    for (const { name, args } of tool_calls!)
      expect([name, Weather.safeParse(args).success]).toEqual(['get_weather', true]);
  });

  it('embeds', async () => {
    const embeddings = new OpenAIEmbeddings({ model: BASE_MODEL, apiKey, configuration: { baseURL } });
    const [first, second] = await embeddings.embedDocuments(['hello', 'goodbye']);
    expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
    expect(first).not.toEqual(second);
  });
});

describe("the AI SDK's provider for compatible services", () => {
  const provider = () =>
    createOpenAICompatible({ name: 'svc', baseURL, apiKey, supportsStructuredOutputs: true });

  it('generates text and objects, streams, and embeds', async () => {
    const model = provider()(BASE_MODEL);
    const { usage } = await generateText({ model, prompt: 'hello', maxOutputTokens: 6 });
    expect(usage.outputTokens).toBeGreaterThan(0);
    const { object } = await generateObject({ model, schema: Ticket, prompt: 'hello' });
    expect(Ticket.parse(object)).toEqual(object);
    const streamed = streamText({ model, prompt: 'hello', maxOutputTokens: 6 });
    expect(await streamed.finishReason).toMatch(/stop|length/);
    const { embeddings } = await embedMany({
      model: provider().embeddingModel(BASE_MODEL),
      values: ['hello', 'goodbye'],
    });
    expect(embeddings).toHaveLength(2);
  });
});

describe("Open WebUI's calls", () => {
  const authorization = () => `Bearer ${apiKey}`;

  it('list the models, chat as a stream, and ask for a title', async () => {
    const models = await fetch(`${baseURL}/models`, { headers: { Authorization: authorization() } });
    const { data } = (await models.json()) as { data: { id: string; owned_by: string }[] };
    expect(data[0]).toMatchObject({ id: BASE_MODEL, owned_by: expect.any(String) });

    const send = (body: object) =>
      fetch(`${baseURL}/chat/completions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: authorization() },
        body: JSON.stringify(body),
      });
    const messages = [{ role: 'user', content: 'hello' }];
    const streamed = await send({ stream: true, model: data[0]!.id, messages, max_tokens: 8 });
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    const lines = (await streamed.text()).split('\n').filter(line => line.startsWith('data: '));
    expect(lines.at(-1)).toBe('data: [DONE]');
    const title = await send({ model: data[0]!.id, messages, stream: false, max_completion_tokens: 8 });
    const { choices } = (await title.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]!.message.content).toBeTypeOf('string');
  });
});

const python = findPython();

describe.skipIf(python === null)("Python's openai", () => {
  it('lists models, chats, streams, completes and embeds', async () => {
    const { stdout } = await promisify(execFile)(python!, ['-c', SCRIPT], {
      env: {
        ...process.env,
        OPENAI_BASE_URL: baseURL,
        OPENAI_API_KEY: apiKey,
        MODEL: BASE_MODEL,
        SCHEMA: JSON.stringify(z.toJSONSchema(Ticket)),
      },
    });
    const said = JSON.parse(stdout) as Record<string, unknown>;
    expect(said).toMatchObject({ first: BASE_MODEL, tool: 'get_weather', completion: 4, embedding: 1 });
    expect(said.streamed).toBe(said.chat);
    expect(Ticket.parse(JSON.parse(said.ticket as string))).toBeTruthy();
  });
});

/** A Python that has the package: `SVC_PYTHON`, or the first one on the path. */
function findPython(): string | null {
  const candidate = process.env.SVC_PYTHON ?? 'python3';
  try {
    execFileSync(candidate, ['-c', 'import openai'], { stdio: 'ignore' });
    return candidate;
  } catch {
    return null;
  }
}

const SCRIPT = `
import json, os
from openai import OpenAI
client, model = OpenAI(max_retries=0), os.environ["MODEL"]
ask = dict(model=model, messages=[{"role": "user", "content": "hello"}], temperature=0)
chat = client.chat.completions.create(**ask, max_tokens=6).choices[0].message.content
streamed = "".join(
    chunk.choices[0].delta.content or ""
    for chunk in client.chat.completions.create(**ask, max_tokens=6, stream=True) if chunk.choices
)
schema = json.loads(os.environ["SCHEMA"])
ticket = client.chat.completions.create(
    **ask, response_format={"type": "json_schema", "json_schema": {"name": "ticket", "schema": schema}}
).choices[0].message.content
tool = {"type": "function", "function": {"name": "get_weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string", "maxLength": 6}}, "required": ["city"]}}}
call = client.chat.completions.create(**ask, tools=[tool], tool_choice="required").choices[0].message.tool_calls[0]
json.loads(call.function.arguments)
completion = client.completions.create(model=model, prompt="hello", max_tokens=4)
embedding = client.embeddings.create(model=model, input="hello").data[0].embedding
print(json.dumps({
    "first": client.models.list().data[0].id, "chat": chat, "streamed": streamed, "ticket": ticket,
    "tool": call.function.name, "completion": completion.usage.completion_tokens,
    "embedding": round(sum(x * x for x in embedding), 3),
}))
`;
