// What is wrong with the calls of a conversation, and with their results.
import { type Call, readCalls } from './calls.js';
import { openTools, type Tools } from './tools.js';

/**
 * `unknown_function`: one that the conversation's tools do not have. `wrong_arguments`: they do not fit its schema.
 * `unmatched_result`: a result without its call, or a call without its result though the conversation goes on.
 */
export type CallFault = 'unknown_function' | 'wrong_arguments' | 'unmatched_result';

interface Message {
  readonly role: string;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
}

export function findCallFaults(messages: readonly Message[], given: unknown): CallFault[] {
  const calls = messages.flatMap(readCalls);
  const tools = calls.length > 0 ? openKnown(given) : null;
  const faults: CallFault[] = [];
  if (calls.some(({ name }) => !tools!.has(name))) faults.push('unknown_function');
  if (calls.some(call => tools!.has(call.name) && !tools!.fits(call))) faults.push('wrong_arguments');
  if (!areAnswered(messages)) faults.push('unmatched_result');
  return faults;
}

/** Results follow the message that calls, in any order. Without ids, there is one for each call. */
function areAnswered(messages: readonly Message[]): boolean {
  let open: Call[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const { tool_call_id: id } = message;
      const at = open.findIndex(call => id == null || call.id === undefined || call.id === id);
      if (at === -1) return false;
      open.splice(at, 1);
    } else {
      if (open.length > 0) return false;
      open = readCalls(message);
    }
  }
  return true;
}

const known = new Map<string, Tools>();
const MOST_KNOWN = 100;

/** The rows of a data set mostly have the same tools. */
function openKnown(given: unknown): Tools {
  const key = JSON.stringify(given) ?? '';
  const tools = known.get(key) ?? openTools(given);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, tools);
  return tools;
}
