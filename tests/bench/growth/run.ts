// `npm run growth`: measures how speed and memory grow, and writes the tables and the picture of docs/benchmarks.md.
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withServingMemory } from '../../../lib/engine/environment.js';
import { type BenchShape, writeRandomModel } from '../engine/shapes.js';
import { drawPicture, renderTables, replaceBetween } from './document.js';
import type { Measurement, Point } from './point.js';
import { GROWTH, type MeasuredSeries } from './series.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const [document, picture] = [here('../../../docs/benchmarks.md'), here('../../../docs/growth.svg')];

async function measure(folder: string, point: Point): Promise<Measurement> {
  const args = ['--import', here('../../../node_modules/tsx/dist/loader.mjs'), here('point.ts')];
  const env = point.kind === 'chat' ? withServingMemory(process.env) : process.env;
  const run = promisify(execFile)(process.execPath, [...args, folder, JSON.stringify(point)], { env });
  const { stdout } = await run;
  return JSON.parse(stdout) as Measurement;
}

const found = new Map<string, Measurement>();
const keyOf = (shape: BenchShape, point: Point) => `${shape.name} ${JSON.stringify(point)}`;
const planned = GROWTH.flatMap(({ points }) => points);
for (const shape of new Set(planned.map(point => point.shape))) {
  const folder = await writeRandomModel(shape);
  try {
    // Rounds the weights and decides their precision, which only the first start of a cloud does.
    await measure(folder, { kind: 'prepare' });
    for (const { point } of planned.filter(one => one.shape === shape)) {
      const key = keyOf(shape, point);
      if (!found.has(key)) found.set(key, await measure(folder, point));
      console.log(key, found.get(key));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
const measured: MeasuredSeries[] = GROWTH.map(({ title, points }) => ({
  title,
  points: points.map(({ label, shape, point }) => ({ label, ...found.get(keyOf(shape, point))! })),
}));
await writeFile(picture, drawPicture(measured));
const machine = `${availableParallelism()} cores, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
const content = `\nMeasured on ${new Date().toISOString().slice(0, 10)} (${machine}).\n\n${renderTables(measured)}\n`;
await writeFile(document, replaceBetween(await readFile(document, 'utf8'), 'growth', content));
