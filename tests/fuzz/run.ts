// `npm run fuzz [-- --seed N --requests N --minutes N]`: wrong requests to every route of a real cloud, its endpoints and
// a real Studio, while a chat goes on beside them. Ends with 1 when an answer has no envelope or request id, is a failure
// of ours, or comes late.
import { parseArgs } from 'node:util';
import { openPlace, type Place } from './places.js';
import { makeRequests } from './requests.js';
import { type Outcome, send } from './send.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string', default: '4000' },
    minutes: { type: 'string', default: '2' },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const AT_ONCE = 4;
const SHOWN = 20;

console.log(`Seed ${seed}`);
const place = await openPlace();
try {
  process.exitCode = await fuzz(place);
} finally {
  await place.close();
}

async function fuzz({ surfaces, chatUrl }: Place): Promise<number> {
  const requests = makeRequests(
    surfaces.map(({ surface }) => surface),
    seed,
  );
  const end = performance.now() + Number(values.minutes) * 60_000;
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const over = new AbortController();
  const chat = chatAlong(chatUrl, over.signal);
  chat.catch(() => over.abort());
  let left = Number(values.requests);
  let slowest = 0;

  async function work(): Promise<void> {
    while (left-- > 0 && performance.now() < end && !over.signal.aborted) {
      const request = requests.next().value!;
      const outcome = await send(surfaces[request.surface]!.port, request);
      note(outcome, `${request.name}: ${request.method} ${request.target.slice(0, 120)}`);
    }
  }

  function note({ status, waitedMs, fault }: Outcome, what: string): void {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== 200) slowest = Math.max(slowest, waitedMs);
    if (fault) faults.push(`${what}\n    ${fault}`);
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work));
  over.abort();
  const chats = await chat;
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`Answers by status: ${counts.join(', ')}`);
  console.log(`Slowest refusal: ${Math.round(slowest)} ms. Chats answered beside it: ${chats}.`);
  for (const fault of faults.slice(0, SHOWN)) console.log(`  ${fault}`);
  console.log(`${faults.length} faults.`);
  return faults.length > 0 || chats === 0 ? 1 : 0;
}

/** How many chats were answered in full, one after the other, until the signal. */
async function chatAlong(url: string, signal: AbortSignal): Promise<number> {
  let answered = 0;
  const body = JSON.stringify({
    messages: [{ role: 'user', content: 'Say something.' }],
    max_tokens: 16,
    stream: true,
  });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal };
  while (!signal.aborted) {
    try {
      const text = await (await fetch(url, init)).text();
      if (text.includes('[DONE]')) answered++;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return answered;
}
