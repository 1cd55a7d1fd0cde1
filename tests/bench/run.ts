// `npm run bench [-- NAME…]`: runs the benchmarks beside this file, all or the named ones, one after the other. What they
// measured last lies in bench/results.json.
import { readdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { keepResult } from './results.js';
import { type Row, renderTable } from './table.js';

interface Benchmark {
  /** What is measured, as a title. */
  name: string;
  run(): Promise<Row[]>;
}

const suffix = '.bench.ts';
const known = readdirSync(import.meta.dirname)
  .filter(file => file.endsWith(suffix))
  .map(file => file.slice(0, -suffix.length));
const results = join(import.meta.dirname, '../../bench/results.json');
const wanted = process.argv.slice(2);
const unknown = wanted.filter(name => !known.includes(name));

if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exitCode = 2;
} else {
  console.log(describeMachine());
  for (const file of wanted.length > 0 ? wanted : known) await runBenchmark(file);
}

async function runBenchmark(file: string): Promise<void> {
  const { name, run }: Benchmark = await import(`./${file}${suffix}`);
  const rows = await run();
  console.log(`\n${file}: ${name}\n${renderTable(rows)}`);
  const at = new Date().toISOString();
  await keepResult(results, { benchmark: file, title: name, machine: describeMachine(), at, rows });
}

function describeMachine(): string {
  const [cpu] = cpus();
  return `${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`;
}
