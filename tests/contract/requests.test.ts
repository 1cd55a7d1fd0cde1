// Requests that do not fit, or would keep a schema busy for long, and what is wrong with each.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  ApiError,
  cloudDeploymentInput,
  cloudDeploymentPatch,
  deploymentPatch,
  inferenceRequest,
  jobInput,
  jobPatch,
  parseChatRequest,
  parseConversationItems,
  parseRequest,
  parseResponsesRequest,
  type Schema,
} from '../../lib/contract/index.js';
import { MOST_TURNS } from '../../lib/contract/text.js';

const messages = [{ role: 'user', content: 'hi' }];

/** What is wrong with what this reads. */
function refusalOf(read: () => unknown): ApiError {
  try {
    read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}
const refusal = (schema: Schema, body: unknown) => refusalOf(() => parseRequest(schema, body));
const chatRefusal = (body: unknown) => refusalOf(() => parseChatRequest(body));

const autoOrCount = z.object({ x: z.union([z.literal('auto'), z.int().check(z.gte(1))]) });
const lists = z.object({ x: z.union([z.array(z.string()), z.array(z.number()), z.null()]) });

const source = { type: 'upload', datasetId: 'd1' };
const target = { kind: 'base_model', baseModel: 'm' };
const training = (config: object, name = 'a') => ({
  name,
  config: { model: 'm', datasetSource: source, ...config },
});
const asked = (fields: object) => ({ messages, baseModel: 'b', ...fields });

describe('a request that does not fit', () => {
  const saying = (message: object) => asked({ messages: [message] });
  const aBlob = { type: 'blob', url: 'file:///etc/passwd' };

  it.each<[message: string, schema: Schema, body: unknown, code?: string]>([
    ['The body is required.', deploymentPatch, undefined],
    ['The body must be an object.', deploymentPatch, 'x'],
    ['`enabled` must be `true` or `false`.', deploymentPatch, { enabled: 'false' }],
    ['`authMode` must be one of `fixed_api_key`, `none`.', deploymentPatch, { authMode: null }],
    ['`target` is not a known field.', deploymentPatch, { target: {} }, 'unknown_field'],
    ['`config` is required.', jobInput, { name: 'a' }],
    ['`tags[1]` must not contain commas.', jobInput, { ...training({}), tags: ['a b', 'c,d'] }],
    ['`tags[0]` must not contain commas.', jobPatch, { tags: ['a,'] }],
    ['`temperature` must be at most 2.', inferenceRequest, asked({ temperature: 3 })],
    ['`maxTokens` must be a whole number.', inferenceRequest, asked({ maxTokens: 1.5 })],
    ['`x` must be `auto` or a whole number.', autoOrCount, { x: 1.5 }],
    ['`x` must be at least 1.', autoOrCount, { x: 0 }],
    ['`x` is required.', autoOrCount, {}],
    ['`x` must be a list or `null`.', lists, { x: 1 }],
    ['`messages` must have at least 1 entry.', inferenceRequest, asked({ messages: [] })],
    [
      '`messages[0].content` must be a string or a list.',
      inferenceRequest,
      saying({ role: 'user', content: 7 }),
    ],
    [
      '`messages[0].role` is missing or has an unknown value.',
      inferenceRequest,
      saying({ role: 'robot', content: 'x' }),
    ],
    [
      '`adapter.jobId` must be a UUID.',
      inferenceRequest,
      { messages, adapter: { kind: 'final', jobId: '../x' } },
    ],
    [
      '`config.datasetSource.path` is not a known field.',
      jobInput,
      training({ datasetSource: { ...source, path: '/etc/passwd' } }),
      'unknown_field',
    ],
    [
      '`config.datasetSource.url` must be a URL that starts with http:// or https://.',
      jobInput,
      training({ datasetSource: aBlob }),
    ],
    [
      '`config.evalFraction` cannot be combined with `evalDatasetSource`.',
      jobInput,
      training({ evalDatasetSource: source, evalFraction: 0.1 }),
    ],
    [
      '`config.targetModules` must not have a module twice.',
      jobInput,
      training({ targetModules: ['q_proj', 'v_proj', 'q_proj'] }),
    ],
    ['`name` must not contain control characters.', jobInput, training({}, 'a\u001b[31m')],
    ['`slug` must have at least 2 characters.', cloudDeploymentInput, { slug: 'a', target }, 'slug_invalid'],
  ])('is told so in one sentence: %s', (message, schema, body, code = 'invalid_value') => {
    const param = /^`([^`]+)`/.exec(message)?.[1] ?? null;
    const error = refusal(schema, body);
    expect([error.status, error.code, error.param, error.message]).toEqual([400, code, param, message]);
  });

  it('names both a base model and an adapter, or neither', () => {
    const adapter = { kind: 'final', jobId: '11111111-2222-4333-8444-555555555555' };
    expect(refusal(inferenceRequest, asked({ adapter })).param).toBe('adapter');
    expect(refusal(inferenceRequest, { messages }).param).toBe('adapter');
    expect(parseRequest(inferenceRequest, { messages, adapter })).toEqual({ messages, adapter });
  });
});

describe('a chat-completions request', () => {
  it('needs messages and nothing else, and takes null as absent', () => {
    const nulls = { temperature: null, tools: null, stop: null };
    for (const body of [{ messages }, { messages, ...nulls }])
      expect(parseChatRequest(body)).toEqual({ messages });
    expect(chatRefusal({}).param).toBe('messages');
  });

  it("takes null as absent inside, too, but leaves what is the caller's own alone", () => {
    const parameters = { type: 'object', properties: { a: { default: null } } };
    const body = {
      messages: [
        { role: 'user', content: 'hi', name: null },
        { role: 'assistant', content: 'hello', tool_calls: null },
      ],
      stream_options: { include_usage: null },
      tools: [{ type: 'function', function: { name: 'f', description: null, parameters } }],
      model: 5,
    };
    const { messages: read, tools, stream_options } = parseChatRequest(body);
    expect(read).toEqual([...messages, { role: 'assistant', content: 'hello' }]);
    expect([tools![0]!.function.parameters, stream_options]).toEqual([parameters, {}]);
  });

  it('lets pass what the format does not list, and what asks for nothing', () => {
    const unlisted = { model: 'anything', user: 'u', store: true, metadata: { a: 'b' }, my_own_field: 1 };
    const idle = { n: 1, tools: [], response_format: { type: 'text' }, logit_bias: {}, top_logprobs: 0 };
    const body = { messages, ...unlisted, ...idle };
    expect(parseChatRequest(body)).toEqual(body);
  });

  it('refuses parts that are no text, and tools that are no functions', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:,' } };
    const content = [{ type: 'text', text: 'what is this?' }, picture];
    const refused = { code: 'unsupported_parameter', param: 'messages[0].content[1].type' };
    expect(chatRefusal({ messages: [{ role: 'user', content }] })).toMatchObject(refused);
    const tools = [{ type: 'custom', custom: { name: 'f' } }];
    const custom = { code: 'unsupported_parameter', param: 'tools[0].type' };
    expect(chatRefusal({ messages, tools })).toMatchObject(custom);
  });

  const text = (said: string) => ({ type: 'text', text: said });
  const call = { name: 'f', arguments: '{}' };
  const calling = (id: string) => ({ tool_calls: [{ id, type: 'function', function: call }] });
  it.each<[sent: object, read: object]>([
    [{ content: null }, {}],
    [{}, {}],
    [{ content: '' }, { content: '' }],
    [{ content: [] }, { content: [] }],
    [{ content: null, refusal: null, annotations: [], audio: null, ...calling('c') }, calling('c')],
    [{ content: [text('a'), { type: 'refusal', refusal: 'No.' }] }, { content: [text('a'), text('No.')] }],
    [{ content: null, refusal: 'No.' }, { content: 'No.' }],
    [{ content: 'Yes.', refusal: 'No.' }, { content: 'Yes.' }],
    [{ content: null, function_call: call }, calling('call_1')],
  ])("takes what an assistant said in any of the format's forms: %j", (sent, read) => {
    const { messages: found } = parseChatRequest({ messages: [...messages, { role: 'assistant', ...sent }] });
    expect(found).toEqual([...messages, { role: 'assistant', ...read }]);
  });

  it('takes what functions returned as the output of the last call', () => {
    const again = { role: 'assistant', content: null, function_call: call };
    const output = (content: unknown) => ({ role: 'function', name: 'f', content });
    const sent = [...messages, again, output('1'), again, output(null)];
    const { messages: read } = parseChatRequest({ messages: sent });
    const tool = (id: string, content: string) => ({ role: 'tool', name: 'f', tool_call_id: id, content });
    const said = (id: string) => ({ role: 'assistant', ...calling(id) });
    expect(read.slice(1)).toEqual([said('call_1'), tool('call_1', '1'), said('call_3'), tool('call_3', '')]);
    const empty = { role: 'tool', tool_call_id: 'c', content: [] };
    expect(parseChatRequest({ messages: [empty] }).messages).toEqual([empty]);
  });

  it.each([
    ['messages[0].content', { role: 'user', content: [] }],
    ['messages[0].content', { role: 'user' }],
    ['messages[0].content[0].type', { role: 'user', content: [{ type: 'refusal', refusal: 'No.' }] }],
    ['messages[0].name', { role: 'function', content: 'x' }],
    ['messages[0].function_call.arguments', { role: 'assistant', function_call: { name: 'f' } }],
    ['messages[0].refusal', { role: 'assistant', refusal: 7 }],
  ])('refuses a message that lacks something, by name: %s', (param, message) =>
    expect(chatRefusal({ messages: [message] })).toMatchObject({ status: 400, param }),
  );

  it.each(['server/tool.v2', 'a-b_c', 'x'.repeat(128)])('takes a tool as MCP servers name it: %s', name => {
    const tools = [{ type: 'function', function: { name } }];
    expect(parseChatRequest({ messages, tools }).tools).toEqual(tools);
  });

  it.each(['', 'a b', 'ä', '<x>', 'x'.repeat(129)])('refuses the tool %j', name => {
    const param = 'tools[0].function.name';
    const tools = [{ type: 'function', function: { name } }];
    expect(chatRefusal({ messages, tools })).toMatchObject({ code: 'invalid_value', param });
  });

  it.each([[null], [[]], ['x'], [7]])('is a JSON object, not %j', body =>
    expect(chatRefusal(body).status).toBe(400),
  );
});

describe('an item of a response or a conversation', () => {
  const item = (type: string, fields: object) => ({ type, ...fields });
  const call = { call_id: 'c', name: 'f', arguments: '{}' };

  it.each<[message: string, item: object]>([
    ['output` must be a string or a list', item('function_call_output', { call_id: 'c', output: {} })],
    ['output` must be a string or a list', item('function_call_output', { call_id: 'c', output: 7 })],
    [
      'output[0].text` must be a string',
      item('function_call_output', { call_id: 'c', output: [{ type: 'input_text', text: 7 }] }),
    ],
    [
      'output[0].refusal` must be a string',
      item('function_call_output', { call_id: 'c', output: [{ type: 'refusal', refusal: 7 }] }),
    ],
    ['call_id` is required', item('function_call_output', { output: 'x' })],
    ['arguments` must be a string', item('function_call', { ...call, arguments: {} })],
    ['name` is required', item('function_call', { ...call, name: undefined })],
    ['id` is required', item('item_reference', {})],
    ['summary` must be a list', item('reasoning', { summary: 'x' })],
    ['content` must be a string or a list', item('message', { role: 'user', content: 7 })],
    ['content` must be a string or a list', { role: 'user', content: 7 }],
    ['role` must be one of `user`, `assistant`, `system`, `developer`', { role: 'critic', content: 'x' }],
  ])('is refused by name where it does not fit: %s, %j', (message, faulty) => {
    const told = (list: string) => ({ status: 400, message: `\`${list}[0].${message}.` });
    expect(refusalOf(() => parseResponsesRequest({ input: [faulty] }))).toMatchObject(told('input'));
    expect(refusalOf(() => parseConversationItems({ items: [faulty] }))).toMatchObject(told('items'));
  });
});

it.each<[message: string, choice: object]>([
  ['`tool_choice.mode` must be one of `auto`, `required`', { type: 'allowed_tools', mode: 'x', tools: [] }],
  ['`tool_choice.name` is required', { type: 'function' }],
])('a choice of tools is refused by name where it does not fit: %s', (message, tool_choice) => {
  const refused = refusalOf(() => parseResponsesRequest({ input: 'x', tool_choice }));
  expect(refused.message).toBe(`${message}.`);
});

describe('a conversation', () => {
  const turns = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);

  it.each<[string, unknown[]]>([
    ['messages', turns(MOST_TURNS + 1, 'no message')],
    ['parts', [{ role: 'user', content: turns(MOST_TURNS, 'no part') }]],
    ['tool calls', [{ role: 'assistant', tool_calls: turns(MOST_TURNS, 'no call') }]],
  ])('of too many %s is refused before one is looked at, however it was sent', (_, long) => {
    const refused = { code: 'context_length_exceeded', status: 400, param: 'messages' };
    expect(chatRefusal({ messages: long })).toMatchObject(refused);
    expect(refusal(inferenceRequest, asked({ messages: long }))).toMatchObject(refused);
  });

  it('may have as many messages as that', () => {
    const most = turns(MOST_TURNS, messages[0]);
    expect(parseChatRequest({ messages: most }).messages).toHaveLength(MOST_TURNS);
  });

  const ones = turns(150_000, 1);
  it.each([
    ['stop', () => refusal(inferenceRequest, asked({ stop: ones }))],
    ['tools', () => chatRefusal({ messages, tools: ones })],
    ['config.targetModules', () => refusal(jobInput, training({ targetModules: ones }))],
  ])('or a job with far too many entries is refused in one sentence: %s', (param, refuse) =>
    expect(refuse()).toMatchObject({ code: 'invalid_value', param }),
  );
});

describe('an origin', () => {
  const read = (...corsOrigins: string[]) => parseRequest(cloudDeploymentPatch, { corsOrigins }).corsOrigins;

  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['HTTPS://App.Example.COM:443', 'https://app.example.com'],
    ['https://app.example.com:8443', 'https://app.example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://192.168.1.5', 'https://192.168.1.5'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://localhost:80', 'http://localhost'],
    ['http://app.localhost:3000', 'http://app.localhost:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is what browsers send as %s', (given, sent) => expect(read(given)).toEqual([sent]));

  it.each([
    ...['*', 'null', '', 'app.example.com', 'https://', 'https://*', 'https://*.example.com', 'file://'],
    ...['/', '/chat', '?a', '#a', ':99999', ':', '\n'].map(end => `https://app.example.com${end}`),
    ...['user@app.example.com', 'app.exa mple.com', '%61pp.example.com'].map(host => `https://${host}`),
    ...['app.example.com', '192.168.1.5:3000', 'localhost.example.com'].map(host => `http://${host}`),
    ...['http://127.0.0.1.example.com', 'ftp://localhost', 'chrome-extension://abcdef'],
    `https://${'a.'.repeat(150)}com`,
  ])('is not %j, and the error quotes it', text => {
    const message = expect.stringContaining(`not \`${text.slice(0, 80)}`);
    const refused = { code: 'invalid_value', param: 'corsOrigins[1]', message };
    expect(refusalOf(() => read('https://app.example.com', text))).toMatchObject(refused);
  });

  it('is one of twenty at most', () => {
    const all = Array.from({ length: 20 }, (_, i) => `https://${i}.example.com`);
    expect(read(...all)).toHaveLength(20);
    expect(() => read(...all, 'https://more.example.com')).toThrow('at most 20');
  });
});
