// svc's requirements on this machine: Node, ONNX Runtime, writable folders, and valid JSON files.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { credentialsFile, findFault, type Schema, stateFile } from '../../../lib/contract/index.js';
import { TELEMETRY_OFF } from '../../../lib/engine/index.js';
import { chooseCloud, explainNotWritable, findExisting, IN_HOME, parseJson } from '../../../lib/sdk/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Io } from '../../command.js';
import { findSignInWays, type SignInWays } from '../cloud/sign-in-ways.js';
import { type Check, outcomesOf } from './check.js';

const required = packageJson.engines.node.replace('>=', '');

/** Checks Node against the version range in package.json. */
export async function checkNode(version: string): Promise<Check> {
  const { ok, problem } = outcomesOf('node');
  return version.localeCompare(required, 'en', { numeric: true }) >= 0
    ? ok(`Node ${version}`)
    : problem(`Node ${version}`, `svc requires Node ${required} or later: https://nodejs.org`);
}

const probe = `
  const { env, listSupportedBackends } = require('onnxruntime-node');
  const backends = listSupportedBackends().filter(({ bundled }) => bundled).map(({ name }) => name);
  console.log(JSON.stringify({ version: env.versions.node, backends }));
`;

// The probe runs in this file's folder, so that it resolves the package svc was installed with.
const thisFolder = import.meta.dirname;
const timeLimit = 30_000;

/** Checks that ONNX Runtime loads. Runs in a child process, because broken native code may crash it. */
export async function checkRuntime(env: Io['env'], script = probe): Promise<Check> {
  const { ok, problem } = outcomesOf('onnx-runtime');
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=commonjs', '--eval', script],
      { cwd: thisFolder, env: { ...env, ...TELEMETRY_OFF }, timeout: timeLimit },
    );
    const { version, backends } = JSON.parse(stdout);
    return ok(`ONNX Runtime ${version} (${backends.join(', ')})`);
  } catch (error) {
    return problem(
      `ONNX Runtime failed to load: ${toReason(error)}`,
      'Reinstall svc on this machine. Binaries exist for Linux (glibc), Windows, and macOS on Apple silicon.',
    );
  }
}

function toReason(error: unknown): string {
  const { stderr = '', signal, message } = error as Error & { stderr?: string; signal?: string | null };
  const errorLine = stderr.split('\n').find(line => /^\w*Error\b/.test(line));
  return errorLine ?? (signal ? `its process was killed by ${signal}` : message.split('\n')[0]!);
}

export function checkHome(home: string): Promise<Check> {
  return checkWritable('home', home, IN_HOME);
}

export async function checkFolder(cwd: string): Promise<Check> {
  const check = await checkWritable('folder', join(cwd, '.svc'), 'work in another folder');
  return check.status === 'ok' ? { ...check, message: `${cwd} is writable` } : check;
}

async function checkWritable(name: string, folder: string, elsewhere: string): Promise<Check> {
  const { ok, problem } = outcomesOf(name);
  const existing = findExisting(folder);
  try {
    // The `/.` makes this fail for anything but a folder.
    await access(`${existing}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const explanation = explainNotWritable(error, folder, elsewhere);
    if (!explanation) throw error;
    return problem(explanation.fault, explanation.remedy);
  }
  return ok(existing === folder ? folder : `${folder} (created on first use)`);
}

export async function checkCredentials(home: string, env: Io['env']): Promise<Check> {
  // The check of the cloud reports a setting that is wrong.
  const chosen = await chooseCloud(home, env).catch(() => null);
  return checkJsonFile('credentials', join(home, 'credentials.json'), credentialsFile, {
    missing: `none yet${sayFirst(await findSignInWays(home, chosen))}`,
    hint: 'Fix the file or move it away; svc never overwrites it.',
  });
}

/** How to get the first identity; empty if the cloud gives none. */
function sayFirst({ anonymous, provider }: SignInWays): string {
  if (anonymous) return '; the first use creates an anonymous identity';
  return provider ? '; run "svc login" to sign in' : '';
}

/** Whether this folder is linked to a project. */
export function checkProject(cwd: string): Promise<Check> {
  return checkJsonFile('project', join(cwd, '.svc', 'state.json'), stateFile, {
    missing: `${cwd} is not linked to a project yet`,
    hint: 'It must be { "orgSlug", "projectSlug", "projectId" }. Fix it or move it away; svc never overwrites it.',
  });
}

interface Wording {
  /** Shown when the file is missing, which is not a problem. */
  missing: string;
  hint: string;
}

/** A corrupt file is reported, never replaced, and its content is never shown. */
async function checkJsonFile(
  name: string,
  path: string,
  schema: Schema,
  { missing, hint }: Wording,
): Promise<Check> {
  const { ok, problem } = outcomesOf(name);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? ok(missing) : problem(`cannot read ${path} (${code})`, hint);
  }
  const fault = findFaultIn(text, schema);
  return fault === null ? ok(path) : problem(`${path}: ${fault}`, hint);
}

/** Describes the problem without quoting the file, which may contain secrets. */
function findFaultIn(text: string, schema: Schema): string | null {
  const content = parseJson(text);
  return content === undefined ? 'It is not valid JSON.' : findFault(schema, content, 'It');
}
