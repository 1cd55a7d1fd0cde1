// svc cloud start --torch: which Python is chosen. The Pythons here are scripts that answer as one would.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { choosePython } from '../../cli/commands/cloud/choose-python.js';
import { readSettings } from '../../cli/commands/cloud/settings.js';
import type { Io } from '../../cli/io.js';
import { describeTorch } from '../../lib/contract/index.js';
import { temporaryFolder } from '../engine/train/data/dataset-files.js';

let folder: string;
let notes: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  notes = [];
});

const path = (name: string) => join(folder, name);

function writeProgram(name: string, script: string): string {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), `#!${process.execPath}\n${script}`);
  chmodSync(path(name), 0o755);
  return path(name);
}

/** Answers the probe with these facts. */
function writePython(name: string, facts: object): string {
  const program = path(name);
  const about = JSON.stringify({ python: program, version: '3.12.1', ...facts });
  return writeProgram(
    name,
    `if (process.argv.slice(2).join() !== '-m,svc_ray.probe') process.exit(1);
     if (!require('node:fs').existsSync(process.env.PYTHONPATH + '/svc_ray/probe.py')) process.exit(2);
     if (process.env.PYTHONSAFEPATH !== '1' || process.cwd() === ${JSON.stringify(folder)}) process.exit(3);
     console.log(${JSON.stringify(about)});`,
  );
}

const GOOD = { torch: '2.13.0', gpu: 'NVIDIA L4', noGpu: null, problem: null };
const BARE = { problem: 'torch and transformers are missing.' };

const output = { write: () => true };
const silent = { stdout: output, stderr: output };

const choose = (wanted: string, env: Record<string, string> = {}, io: Omit<Io, 'cwd' | 'env'> = silent) =>
  choosePython(wanted, {
    io: { ...io, cwd: folder, env: { PATH: path('bin'), SVC_HOME: path('home'), ...env } },
    note: line => void notes.push(line),
  });

describe('the Python to train with', () => {
  it.each([
    ['a program', 'some/python', 'some/python'],
    ['a name on PATH', 'bin/my-python', 'my-python'],
    ['the folder of an environment', 'env/bin/python', 'env'],
  ])('is %s', async (_, place, wanted) => {
    const python = writePython(place, GOOD);
    expect(await choose(wanted)).toBe(python);
    expect(notes).toEqual([`Jobs train with PyTorch 2.13.0 (${python}, Python 3.12.1) on NVIDIA L4.`]);
  });

  it('trains on the CPU where there is no GPU, and says why', async () => {
    writePython('python', { ...GOOD, gpu: null, noGpu: 'there is no NVIDIA GPU' });
    await choose('./python');
    expect(notes[0]).toMatch(/ on the CPU: there is no NVIDIA GPU\.$/);
  });

  it('is by itself the first that can, and the others are told with their reasons', async () => {
    const bare = writePython('.venv/bin/python', BARE);
    const broken = writeProgram('bin/python3', 'console.error("ImportError: libc"); process.exit(1)');
    const good = writePython('bin/python', GOOD);
    expect(await choose('auto')).toBe(good);
    expect(notes).toEqual([
      `Not ${bare}: ${BARE.problem}`,
      `Not ${broken}: It failed: ImportError: libc`,
      expect.stringContaining(good),
    ]);
    expect(await choose('auto', { VIRTUAL_ENV: path('.venv') })).toBe(good);
  });

  it('is refused where it cannot train', async () => {
    await expect(choose('auto')).rejects.toThrow(
      `There is no Python: svc looked in $VIRTUAL_ENV, .venv, PATH and ${path('home/torch')}.`,
    );
    writePython('bin/python3', BARE);
    await expect(choose('auto')).rejects.toThrow('No Python can train:');
    await expect(choose('python3')).rejects.toThrow(
      `Jobs cannot train with ${path('bin/python3')}: ${BARE.problem}`,
    );
    await expect(choose('./none')).rejects.toThrow(`${path('none')}: There is no such program.`);
    writeProgram('liar', 'console.log("hello")');
    await expect(choose('./liar')).rejects.toThrow('This is not Python.');
  });
});

describe('an environment that svc makes', () => {
  /** New enough. Its environments have a copy of it, which can train once pip has installed something there. */
  const BASE = `
    const fs = require('node:fs');
    const { join } = require('node:path');
    const [, name, ...args] = process.argv.slice(2);
    const ran = join(__dirname, 'ran.txt');
    if (name === 'venv') {
      fs.mkdirSync(join(args.at(-1), 'bin'), { recursive: true });
      fs.copyFileSync(__filename, join(args.at(-1), 'bin', 'python'));
    }
    if (name === 'pip') fs.writeFileSync(ran, args.join(' '));
    if (name === 'svc_ray.probe')
      console.log(JSON.stringify({ python: __filename, version: '3.12.1', ...(fs.existsSync(ran) ? GOOD : BARE) }));`
    .replace('GOOD', JSON.stringify(GOOD))
    .replace('BARE', JSON.stringify(BARE));

  it('is described before anything is downloaded, and needs a terminal to be agreed to', async () => {
    await expect(choose('install')).rejects.toThrow('There is no Python 3.11 or later');
    writeProgram('bin/python3', BASE);
    const refusal = await choose('install').catch((error: Error) => error.message);
    expect(refusal).toContain('asks before it downloads anything, which needs a terminal.');
    expect(refusal).toMatch(
      /installs torch==2\.\d+\.\d+, transformers==[\d.]+, numpy==[\d.]+, safetensors==[\d.]+ /,
    );
    expect(refusal).toMatch(/It downloads about \d+ [MG]B from /);
    expect(refusal).toContain(`\n  ${path('bin/python3')} -m venv --clear ${path('home/torch')}\n`);
    expect(existsSync(path('home/torch'))).toBe(false);
  });

  it.each([
    ['y', true],
    ['', false],
  ])('is made if the answer is %j: %s', async (answer, isMade) => {
    writeProgram('bin/python3', BASE);
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    stdin.write(`${answer}\n`);
    const io = { ...silent, stdin, stdout: { ...output, isTTY: true } };
    const python = choose('install', {}, io);
    if (isMade) expect(await python).toBe(path('home/torch/bin/python'));
    else await expect(python).rejects.toThrow('Nothing was installed.');
    expect(existsSync(path('home/torch'))).toBe(isMade);
    if (isMade)
      expect(readFileSync(path('home/torch/bin/ran.txt'), 'utf8')).toMatch(/^install .* torch==2\./);
    expect(notes[0]).toMatch(/^This installs torch==/);
  });

  it('is used as it is if it works', async () => {
    const python = writePython('home/torch/bin/python', GOOD);
    expect(await choose('install')).toBe(python);
    expect(await choose('auto')).toBe(python);
  });
});

describe('the settings', () => {
  const read = (options: Record<string, string>) => readSettings(options, folder, { env: {} });

  it('have an IPv6 address without the brackets that it has in URLs', () => {
    expect([read({ host: '[::1]' }).host, read({ host: '::1' }).host]).toEqual(['::1', '::1']);
  });

  it('have the Python, unless it is off, and not beside a cluster', () => {
    expect(read({ torch: '/python' }).torch).toBe('/python');
    expect(read({ torch: 'off', ray: 'http://head:8265' }).torch).toBeUndefined();
    expect(() => read({ torch: '/python', ray: 'http://head:8265' })).toThrow(
      '--torch cannot be combined with --ray',
    );
  });

  it('say that a Python is being checked', () => {
    expect(describeTorch({ python: '/python' })).toBe('/python, being checked');
  });
});
