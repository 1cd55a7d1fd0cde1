// The Model Context Protocol: svc's commands as tools of an agent, and its jobs as resources.
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { outcomeTexts } from '../../lib/console/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { drawCurve, NO_CURVE } from './curve-picture.js';
import type { Permission } from './permissions.js';
import { addResources } from './resources.js';
import { type Place, readDocument, readEvents } from './run-svc.js';
import { jobId, option, quote, type Tool } from './tool.js';
import { TOOLS } from './tools.js';
import { followJobFor, type Trainings } from './train-tools.js';

export interface AgentOptions {
  place: Place;
  allowed: ReadonlySet<Permission>;
  trainings: Trainings;
}

const INSTRUCTIONS = `svc fine-tunes language models. The project in this folder has a trainer (src/svc/index.ts) and data.
A good order: check_data, start_training, follow_job, worst_rows; fix the data; train again; evaluate with rows that training never sees, against the job before; ship what is better.
Jobs go on when this server ends.`;

type Reply = CallToolResult | InputRequiredResult;

export function createMcpServer(options: AgentOptions): McpServer {
  const server = new McpServer(
    { name: 'svc', title: 'svc', version: packageJson.version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: {} } },
  );
  for (const tool of TOOLS) addTool(server, tool, options);
  addTrainingTools(server, options);
  addResources(server, options.place);
  return server;
}

function addTool(server: McpServer, tool: Tool, { place, allowed }: AgentOptions): void {
  const { name, title, description, input, output, readOnly, consent, command, read } = tool;
  server.registerTool(
    name,
    {
      ...{ title, description, inputSchema: input, outputSchema: output },
      annotations: { readOnlyHint: readOnly === true, openWorldHint: false },
    },
    (given, context) =>
      answering(async () => {
        const question = consent && askConsent(server, context, { ...consent(given), allowed });
        if (question) return question;
        const { signal } = context.mcpReq;
        const document = await readDocument(command(given), place, { signal, onNote: reportNotes(context) });
        return toResult(output.parse(read(document as never, given)));
      }),
  );
}

const LONGEST_WAIT_S = 600;
const USUAL_WAIT_S = 45;

function addTrainingTools(server: McpServer, { place, allowed, trainings }: AgentOptions): void {
  server.registerTool(
    'start_training',
    {
      title: 'Start a training',
      description:
        "Runs the project's trainer, after its data was checked, and returns its job as soon as it is queued. follow_job waits for it.",
      inputSchema: z.object({
        name: z.string().optional().describe("What to call the run; default: the trainer's name"),
        set: z
          .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
          .optional()
          .describe('Settings to change for this run, such as { "learningRate": 0.001, "lora.r": 8 }'),
        note: z.string().optional().describe('What this run tries, for people and for later'),
      }),
      outputSchema: z.object({ job: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ name, set = {}, note }, context) =>
      answering(async () => {
        const named = name === undefined ? '' : ` named ${quote(name)}`;
        const changed = Object.keys(set).length === 0 ? '' : ` with the settings ${quote(set)}`;
        const message = `Start a training${named}${changed}? It may take minutes to hours of this machine.`;
        const question = askConsent(server, context, { permission: 'train', allowed, message });
        if (question) return question;
        const settings = Object.entries(set).flatMap(([key, value]) => option('set', `${key}=${value}`));
        const args = [...option('name', name), ...option('note', note), ...settings];
        return toResult(await trainings.start(args, context.mcpReq.signal));
      }),
  );
  server.registerTool(
    'follow_job',
    {
      title: 'Follow a job',
      description:
        'Waits until a job ends, reaches a step, or some seconds have passed, and shows how it is. Cancelling this call does not cancel the job.',
      inputSchema: z.object({
        job: jobId,
        step: z.int().min(1).optional().describe('Return at this step'),
        seconds: z.number().min(0).max(LONGEST_WAIT_S).default(USUAL_WAIT_S),
      }),
      outputSchema: z.object({
        ...{ id: z.string(), status: z.string(), error: z.string().nullish(), isFinal: z.boolean() },
        ...{ step: z.number().nullish(), totalSteps: z.number().nullish() },
        ...{ loss: z.number().nullish(), evalLoss: z.number().nullish() },
        ...{ reward: z.number().nullish(), evalReward: z.number().nullish(), bestScore: z.unknown() },
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ job, step, seconds }, context) =>
      answering(async () => {
        const report = progressOf(context);
        const followed = await followJobFor(place, job, {
          ...{ step, seconds, signal: context.mcpReq.signal },
          onStep: (logged, total) => report(logged.step, total, outcomeTexts(logged)[0]),
        });
        const { id, status, error, isFinal, totalSteps, bestScore } = followed;
        const { loss, evalLoss, reward, evalReward } = followed;
        return toResult({
          ...{ id, status, error, isFinal, step: followed.step, totalSteps },
          ...{ loss, evalLoss, reward, evalReward, bestScore },
        });
      }),
  );
  server.registerTool(
    'loss_chart',
    {
      title: 'Look at how a job learns',
      description:
        'Draws the training and evaluation loss of a job as a picture, or its rewards if it learns from them.',
      inputSchema: z.object({ job: jobId }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ job }, { mcpReq: { signal } }) =>
      answering(async () => {
        const picture = drawCurve(await readEvents(place, job, signal));
        if (!picture) throw new Error(NO_CURVE);
        return { content: [{ type: 'image', data: picture.toString('base64'), mimeType: 'image/png' }] };
      }),
  );
}

async function answering(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'AbortError') throw error;
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  }
}

function toResult(document: Record<string, unknown>): CallToolResult {
  return { structuredContent: document, content: [{ type: 'text', text: JSON.stringify(document) }] };
}

/** Does nothing for clients that did not ask for it. */
function progressOf({ mcpReq }: ServerContext): (progress: number, total?: number, message?: string) => void {
  const { progressToken } = mcpReq._meta ?? {};
  if (progressToken === undefined) return () => {};
  return (progress, total, message) => {
    const params = { progressToken, progress, ...(total && { total }), ...(message && { message }) };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {
      // The client has gone; the call is aborted, too.
    });
  };
}

/** Commands say how far they are in lines such as `Answers: 50%`. */
function reportNotes(context: ServerContext): (line: string) => void {
  const report = progressOf(context);
  return line => {
    const percent = /(\d+)%/.exec(line)?.[1];
    if (percent !== undefined) report(Number(percent), 100, line);
  };
}

const ANSWER = 'consent';
const consentForm = z.object({ go: z.boolean().meta({ title: 'Go ahead' }) });

/**
 * For what an agent may not do by itself: spend minutes of this machine, stop a run, or make something public. Null once it may be
 * done: because `--allow` says so, or the user did. Otherwise the question that the client has to ask. Throws
 * if the user said no, or the client cannot ask.
 */
function askConsent(
  server: McpServer,
  context: ServerContext,
  {
    permission,
    allowed,
    message,
  }: { permission: Permission; allowed: ReadonlySet<Permission>; message: string },
): InputRequiredResult | null {
  if (allowed.has(permission)) return null;
  const reply = inputResponse(context.mcpReq.inputResponses, ANSWER);
  if (reply.kind === 'elicit') {
    if (reply.action === 'accept' && consentForm.safeParse(reply.content).data?.go === true) return null;
    throw new Error('The user did not allow it.');
  }
  if (!server.server.getClientCapabilities()?.elicitation)
    throw new Error(
      `This needs the user's permission, and this client cannot ask for it. The user can start svc mcp, or svc dev, with --allow ${permission}.`,
    );
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit({ message, requestedSchema: consentForm }) },
  });
}
