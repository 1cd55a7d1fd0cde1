// What an agent may not do by itself: spend minutes of this machine, stop a run, or make something public.
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Permission } from './permissions.js';

const ANSWER = 'consent';
const question = z.object({ go: z.boolean().meta({ title: 'Go ahead' }) });

/**
 * Null once it may be done: because `--allow` says so, or the user did. Otherwise the question that the client has to ask. Throws
 * if the user said no, or the client cannot ask.
 */
export function askConsent(
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
    if (reply.action === 'accept' && question.safeParse(reply.content).data?.go === true) return null;
    throw new Error('The user did not allow it.');
  }
  if (!server.server.getClientCapabilities()?.elicitation)
    throw new Error(
      `This needs the user's permission, and this client cannot ask for it. The user can start svc mcp, or svc dev, with --allow ${permission}.`,
    );
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit({ message, requestedSchema: question }) },
  });
}
