// Many readers of one job's events in one process. Says when all are connected, and at the end what they saw.
import { readFrames } from '../../../lib/client/index.js';

const [url, token, count, events] = process.argv.slice(2) as [string, string, string, string];
const delays: number[] = [];
let [connected, wrong] = [0, 0];

await Promise.all(Array.from({ length: Number(count) }, read));
delays.sort((a, b) => a - b);
const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]!;
process.send!({ type: 'done', received: delays.length, wrong, p50: at(0.5), p99: at(0.99) });
process.disconnect();

async function read(): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (++connected === Number(count)) process.send!({ type: 'connected' });
  let last = 0;
  for await (const { event, data } of readFrames(response)) {
    if (event !== 'training.log') continue;
    const { step, sentAt } = JSON.parse(data) as { step: number; sentAt: number };
    if (step !== ++last) wrong++;
    delays.push(performance.timeOrigin + performance.now() - sentAt);
    if (step === Number(events)) return;
  }
}
