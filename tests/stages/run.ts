// `npm run ci`: everything that a change has to pass, as much at once as the cores allow. `npm run check`: what needs no
// run of svc. `prepare`: the same, and the build, before `npm test`. `npm run verify`: everything for longer, and what takes
// hours. `-- --only NAME` runs stages by name, without what they need. Each stage's output goes to a file, which is kept where
// one failed; what failed is named in the last lines, with the end of its output.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lowerPriority } from '../support/low-priority.js';
import { type Outcome, runStages } from './schedule.js';
import { CHANGE, CHECK, type Command, PREPARE, VERIFY } from './stages.js';

// The tests have this priority; what runs beside them would starve them.
lowerPriority();

const root = join(import.meta.dirname, '../..');
/** Programs in Go, such as tsc, collect garbage after less growth by default, and take half as long again for it. */
const SPARING = { GOGC: '400' };
/** Of a stage that failed. */
const SHOWN_LINES = 120;

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const all = { check: CHECK, prepare: PREPARE, verify: VERIFY }[positionals[0] ?? ''] ?? CHANGE;
const chosen = all.filter(({ name }) => values.only?.includes(name) ?? true);
const unknown = values.only?.filter(name => !all.some(stage => stage.name === name)) ?? [];
if (unknown.length > 0)
  throw new Error(`No stage is called ${unknown}. There are ${all.map(({ name }) => name).join(', ')}.`);

const logs = mkdtempSync(join(tmpdir(), 'svc-stages-'));
const logOf = ({ name }: Command) => join(logs, `${name}.log`);
const seconds = new Map<string, number>();
const began = performance.now();
const secondsSince = (start: number) => Math.round((performance.now() - start) / 1000);

console.log(`Output: ${logs}`);
const stages = values.only ? chosen.map(stage => ({ ...stage, needs: [] })) : chosen;
const outcomes = await runStages(stages, { cores: availableParallelism(), run });
report(outcomes);

async function run(stage: Command): Promise<boolean> {
  const [program, ...args] = stage.run;
  const start = performance.now();
  console.log(`${stage.name} begins after ${secondsSince(began)} s: ${stage.run.join(' ')}`);
  const output = openSync(logOf(stage), 'a');
  const command = program === 'npm' ? 'npm' : join(root, 'node_modules/.bin', program);
  const env = { ...SPARING, SVC_THREADS: String(Math.max(1, stage.cores)), ...process.env };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] });
  const passed = await new Promise<boolean>(resolve => {
    child.once('error', error => {
      console.log(`${stage.name} could not be started: ${error.message}`);
      resolve(false);
    });
    child.once('close', code => resolve(code === 0));
  });
  seconds.set(stage.name, secondsSince(start));
  console.log(`${stage.name} ${passed ? 'passed' : 'FAILED'} in ${seconds.get(stage.name)} s`);
  return passed;
}

function report(outcomes: Map<Command, Outcome>): void {
  const failed = [...outcomes].filter(([, outcome]) => outcome === 'failed').map(([stage]) => stage);
  for (const stage of failed) {
    const lines = readFileSync(logOf(stage), 'utf8').trimEnd().split('\n');
    console.log(`\n--- The end of ${stage.name} (all of it: ${logOf(stage)})`);
    console.log(lines.slice(-SHOWN_LINES).join('\n'));
  }
  console.log('');
  for (const [{ name }, outcome] of outcomes)
    console.log(`${name.padEnd(22)} ${outcome.padEnd(8)} ${seconds.get(name) ?? ''}`.trimEnd());
  console.log(`${secondsSince(began)} s together.`);
  const missed = [...outcomes].filter(([, outcome]) => outcome !== 'passed').map(([{ name }]) => name);
  if (missed.length === 0) rmSync(logs, { recursive: true });
  else {
    console.log(`Did not pass: ${missed.join(', ')}.`);
    process.exitCode = 1;
  }
}
