// Many readers of one job's events in one process. Says when all are connected, and at the end what they saw. They look
// for two numbers in each event and no more: to take events apart as clients do would cost more than to send them.

const [url, token, count, events] = process.argv.slice(2) as [string, string, string, string];
const delays: number[] = [];
let [connected, wrong] = [0, 0];

await Promise.all(Array.from({ length: Number(count) }, read));
delays.sort((a, b) => a - b);
const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]!;
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000;
process.send!({ type: 'done', received: delays.length, wrong, p50: at(0.5), p99: at(0.99), cpuMs });
process.disconnect();

async function read(): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (++connected === Number(count)) process.send!({ type: 'connected' });
  const decoder = new TextDecoder();
  let [text, last] = ['', 0];
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf('\n\n');
    const now = performance.timeOrigin + performance.now();
    for (const [, step, sentAt] of text.slice(0, end + 2).matchAll(/"step":(\d+),.*"sentAt":([\d.]+)/g)) {
      if (Number(step) !== ++last) wrong++;
      delays.push(now - Number(sentAt));
    }
    text = text.slice(end + 2);
    if (last === Number(events)) return;
  }
}
