// What one caller may do to a cloud to keep others waiting: each attack goes on until it is stopped, whatever is answered.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Caller } from '../cloud/with-server.js';

export interface Attack {
  /** As a title. */
  name: string;
  /** Prepares it, and returns what one of its requests does. */
  begin(target: Target): Promise<(signal: AbortSignal) => Promise<unknown>>;
  /** How many of them go on at once. */
  atOnce: number;
  /** The most file descriptors that the cloud may have open. */
  descriptors?: number;
}

interface Target {
  url: string;
  attacker: Caller;
}

const MESSAGES = 3000;
const PROMPT_BYTES = 3.9e6;
const LONGEST_TEXT = 500_000;
const COLUMNS = 1_000_000;
const CONNECTIONS = 1100;
const DESCRIPTORS = 1024;

export const ATTACKS: readonly Attack[] = [
  { name: `previews of rows of ${MESSAGES} messages`, atOnce: 8, begin: preview },
  { name: 'tokenize of 3.9 MB of spaces, refused', atOnce: 8, begin: tokenize(PROMPT_BYTES) },
  { name: 'tokenize of as many spaces as it takes', atOnce: 8, begin: tokenize(LONGEST_TEXT) },
  { name: 'refused chats of 3.9 MB', atOnce: 8, begin: refusedChats },
  { name: 'CSV of a million columns', atOnce: 4, begin: manyColumns },
  {
    name: `${CONNECTIONS} idle connections at ulimit -n ${DESCRIPTORS}`,
    atOnce: CONNECTIONS,
    descriptors: DESCRIPTORS,
    begin: idleConnections,
  },
];

/** Each is another data set to the cloud, so none is answered from the last one. */
async function preview({ attacker: { client } }: Target) {
  const messages = Array.from({ length: MESSAGES }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `say ${i}`,
  }));
  const rows = `${JSON.stringify({ messages })}\n`.repeat(20);
  const { dataset } = await client.uploadDataset('rows.jsonl', rows);
  const datasetSource = { type: 'upload', datasetId: dataset.id } as const;
  let seed = 0;
  return (signal: AbortSignal) =>
    client.previewData(
      { config: { model: 'bench', datasetSource, maxLength: 100_000, seed: seed++ }, effort: 'all' },
      { signal },
    );
}

function tokenize(length: number) {
  const body = { model: 'bench', prompt: ' '.repeat(length) };
  return (target: Target) => post(target, '/openai/v1/tokenize', body);
}

async function refusedChats(target: Target) {
  const messages = [{ role: 'user', content: 'word '.repeat(PROMPT_BYTES / 5) }];
  return post(target, '/openai/v1/chat/completions', { model: 'bench', messages });
}

async function post({ url, attacker }: Target, path: string, body: unknown) {
  const { key } = await attacker.client.issueProjectKey('bench');
  const headers = { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' };
  const text = JSON.stringify(body);
  return async (signal: AbortSignal) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: text, signal });
    const answer = await response.text();
    if (!response.ok) throw new Error(answer.slice(0, 200));
  };
}

async function manyColumns({ attacker: { client } }: Target) {
  const header = `text,${Array.from({ length: COLUMNS }, (_, i) => `c${i}`).join(',')}\n`;
  return (signal: AbortSignal) => client.uploadDataset('wide.csv', `${header}a\n`, { signal });
}

async function idleConnections({ url }: Target) {
  const { hostname: host, port } = new URL(url);
  return async (signal: AbortSignal) => {
    const socket: Socket = connect({ host, port: Number(port) });
    const leave = () => socket.destroy();
    signal.addEventListener('abort', leave, { once: true });
    await once(socket, 'close').finally(() => signal.removeEventListener('abort', leave));
  };
}
