// Runs inside the namespaces: `inside.ts FOLDER PROGRAM ARGS…`. Writes what it recorded to `findings.json` in the folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enclose, OUTSIDE } from './enclose.js';
import { startRecording } from './recorder/record.js';
import type { Findings } from './watch.js';

const [folder = '', program = '', ...args] = process.argv.slice(2);

const { writable } = enclose(folder);
const recording = await startRecording(OUTSIDE);
const child = spawn(program, args, {
  stdio: 'inherit',
  env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') },
  cwd: folder,
});
const [exitCode] = (await once(child, 'exit')) as [number | null];
const findings: Findings = { exitCode, ...recording.stop(), writable };
writeFileSync(join(folder, 'findings.json'), JSON.stringify(findings));
