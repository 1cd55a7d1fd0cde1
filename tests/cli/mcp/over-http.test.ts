// Agents at `/mcp`, as a client of the SDK calls it: what their users are asked, and their sessions.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpSessions } from '../../../cli/mcp/http-sessions.js';
import { type AgentEndpoint, openAgentEndpoint } from '../../../cli/mcp/over-http.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { cleanPreview } from '../../support/sample-preview.js';
import { entryOf, projectOfEach } from '../support/project.js';

const ADDRESS = 'http://localhost:4000/mcp';

/** What its user says to questions; null if the client cannot ask. */
type Answer = 'accept' | 'decline' | 'cancel' | null;

async function connect(answer: (request: Request) => Promise<Response>, reply: Answer) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: reply === null ? {} : { elicitation: {} } },
  );
  const questions: string[] = [];
  if (reply !== null)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return reply === 'accept' ? { action: reply, content: { go: true } } : { action: reply };
    });
  const transport = new StreamableHTTPClientTransport(new URL(ADDRESS), {
    fetch: (url, init) => answer(new Request(url, init as RequestInit)),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args }, undefined, {
      timeout: JOURNEY_TIMEOUT_MS,
    })) as CallToolResult;
  return { client, transport, call, questions };
}

const post = (body: object, headers: Record<string, string> = {}) =>
  new Request(ADDRESS, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, params: {}, ...body }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });

describe('the user of an agent', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const project = projectOfEach({ isLinked: true });
  let endpoint: AgentEndpoint;
  let job: string;
  beforeEach(() => {
    job = project.addJob({ status: 'running' }, []).job.id;
    endpoint = openAgentEndpoint({ folder: project.cwd, env: project.env }, new Set());
  });
  afterEach(() => endpoint.close());
  const cancelAs = async (reply: Answer) => {
    const { call, questions } = await connect(endpoint.answer, reply);
    const { isError = false, content } = await call('cancel_job', { job });
    return { isError, text: (content[0] as { text: string }).text, questions };
  };
  const isCancelled = () => project.cloud.calls.includes(`POST /v1/jobs/${job}/cancel`);

  it('is asked over HTTP, too, and what was accepted is done', async () => {
    const { isError, questions } = await cancelAs('accept');
    expect({ isError, questions }).toEqual({ isError: false, questions: [expect.stringContaining(job)] });
    expect(isCancelled()).toBe(true);
  });

  it.each(['decline', 'cancel'] as const)('may %s: nothing is done then', async reply => {
    const { isError, text, questions } = await cancelAs(reply);
    expect([isError, text, questions.length]).toEqual([true, 'The user did not allow it.', 1]);
    expect(isCancelled()).toBe(false);
  });

  it.each([
    ['accept', { content: { go: true } }],
    ['decline', {}],
  ])('is asked by a client of 2026-07-28 in the answer to its call, and may %s', async (action, more) => {
    const call = async (given: object) => {
      const about = 'io.modelcontextprotocol/';
      const _meta = {
        [`${about}protocolVersion`]: '2026-07-28',
        [`${about}clientInfo`]: { name: 'test', version: '1' },
        [`${about}clientCapabilities`]: { elicitation: { form: {} } },
      };
      const params = { name: 'cancel_job', arguments: { job }, _meta, ...given };
      const headers = {
        'mcp-method': 'tools/call',
        'mcp-name': 'cancel_job',
        'mcp-protocol-version': '2026-07-28',
      };
      const response = await endpoint.answer(post({ method: 'tools/call', params }, headers));
      return ((await response.json()) as { result: Record<string, unknown> }).result;
    };
    const asked = await call({});
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { consent: { params: { message: expect.stringContaining(job) } } },
    });
    expect(isCancelled()).toBe(false);
    const { isError = false } = await call({ inputResponses: { consent: { action, ...more } } });
    expect(isError).toBe(action === 'decline');
    expect(isCancelled()).toBe(action === 'accept');
  });

  it('may have the newest job followed, or that with a name, without its ID', async () => {
    const { call } = await connect(endpoint.answer, null);
    const { name } = project.cloud.jobs[0]!.job;
    for (const word of ['latest', `latest:${name}`]) {
      const { structuredContent } = await call('follow_job', { job: word, seconds: 0.2 });
      expect(structuredContent).toMatchObject({ id: job, isFinal: false });
    }
    const { isError, content } = await call('follow_job', { job: 'latest:nobody' });
    expect([isError, (content[0] as { text: string }).text]).toEqual([
      true,
      'There is no job named "nobody".',
    ]);
  });

  it('is told what to do if the client cannot ask', async () => {
    const { isError, text } = await cancelAs(null);
    expect([isError, text]).toEqual([true, expect.stringContaining('svc dev, with --allow cancel')]);
    expect(isCancelled()).toBe(false);
  });
});

describe('an agent', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const [half, mended] = ['half \ud83d', 'half \ufffd'];
  const text = { file: 'rows.jsonl', number: 1, prompt: half, answer: 'A' };
  const row = { row: 0, labels: 1, visits: 1, first: 2, last: 1, mean: 1, inStep: null, losses: [], text };
  const found = { total: 1, recorded: 1, every: 1, nextCursor: null, unrecorded: null };
  const checked: unknown[] = [];
  const project = projectOfEach({
    isLinked: true,
    routes: {
      listJobRows: () => ({ ...found, rows: [row] }),
      previewData({ body }) {
        checked.push(body.config);
        return cleanPreview(body);
      },
    },
  });

  it('checks the data of the trainer as it is now, or reads why it does not build', async () => {
    await project.writeEntry(entryOf({ options: 'maxLength: 32' }));
    await project.svc('build');
    await project.writeEntry(entryOf({ options: 'maxLength: 64' }));
    const endpoint = openAgentEndpoint({ folder: project.cwd, env: project.env }, new Set());
    onTestFinished(() => endpoint.close());
    const { call } = await connect(endpoint.answer, null);
    expect((await call('check_data', {})).isError).toBeUndefined();
    expect(checked).toMatchObject([{ maxLength: 64 }]);
    await project.writeEntry('export const service = {;');
    const { isError, content } = await call('check_data', {});
    expect([isError, (content[0] as { text: string }).text]).toEqual([
      true,
      expect.stringMatching(/^src\/svc\/index\.ts:1:25: /),
    ]);
  });

  it('gets no half of a character, which strict clients refuse', async () => {
    const config = { samples: [{ [half]: half }] };
    project.addJob({ name: half, config } as object);
    const endpoint = openAgentEndpoint({ folder: project.cwd, env: project.env }, new Set());
    onTestFinished(() => endpoint.close());
    const { call, client } = await connect(endpoint.answer, null);
    const { structuredContent, content } = await call('worst_rows', { job: 'latest' });
    expect(structuredContent).toMatchObject({ rows: [{ prompt: mended }] });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual(structuredContent);
    expect((await call('show_job', { job: 'latest' })).structuredContent).toMatchObject({
      job: { name: mended, config: { samples: [{ [mended]: mended }] } },
    });
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toContain(`Job: ${mended}`);
  });
});

describe('a session', () => {
  const open = (most?: number) => {
    const sessions = createHttpSessions(() => {
      const server = new McpServer({ name: 'test', version: '1' });
      server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
      return server;
    }, most);
    onTestFinished(() => sessions.close());
    return sessions;
  };
  it('is its own: two agents know nothing of each other', async () => {
    const { answer } = open();
    const [one, two] = [await connect(answer, null), await connect(answer, null)];
    expect(one.transport.sessionId).not.toBe(two.transport.sessionId);
    await one.transport.terminateSession();
    expect((await two.call('hello', {})).content).toHaveLength(1);
  });

  it('has to begin with its first message', async () => {
    const { answer } = open();
    expect((await answer(post({ method: 'tools/list' }))).status).toBe(400);
    const { transport } = await connect(answer, null);
    const headers = { 'mcp-session-id': transport.sessionId! };
    expect((await answer(post({ method: 'tools/list' }, headers))).status).toBe(200);
    await transport.terminateSession();
    const ended = await answer(post({ method: 'tools/list' }, headers));
    expect([ended.status, await ended.json()]).toEqual([
      404,
      { jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null },
    ]);
  });

  it('makes room for others once it was not used for longest', async () => {
    const { answer } = open(2);
    const [first, second] = [await connect(answer, null), await connect(answer, null)];
    await first.call('hello', {});
    await connect(answer, null);
    expect((await first.call('hello', {})).content).toHaveLength(1);
    await expect(second.call('hello', {})).rejects.toThrow('Session not found');
  });
});
