// What this process takes of the machine: its memory now, and its processor time since it was last asked.

interface Usage {
  memoryBytes: number;
  /** 100 is one core. */
  cpuPercent: number;
}

export type UsageMeter = () => Usage;

export function createUsageMeter(): UsageMeter {
  let since = { cpu: process.cpuUsage(), at: performance.now() };
  return () => {
    const now = { cpu: process.cpuUsage(), at: performance.now() };
    const spent = now.cpu.user + now.cpu.system - since.cpu.user - since.cpu.system;
    const cpuPercent = Math.round(spent / 10 / Math.max(1, now.at - since.at));
    since = now;
    return { memoryBytes: process.memoryUsage.rss(), cpuPercent };
  };
}
