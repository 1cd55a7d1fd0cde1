// svc api METHOD PATH: calls the Studio that runs in this project, and prints what it answers as it comes.
import { ApiError, readEnvelope, STUDIO_TOKEN_HEADER, type StudioFile } from '../../lib/contract/index.js';
import { findStudio } from '../../lib/sdk/index.js';
import type { CommandModule, Io } from '../command.js';
import { CommandError, createUsageError } from '../command-error.js';
import { exitCode } from '../exit-code.js';
import { readBody } from './api/read-body.js';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

export const run: CommandModule['run'] = async ({ positionals: [typed = '', path = ''], values }, io) => {
  const method = typed.toUpperCase();
  if (!METHODS.includes(method)) throw createUsageError(`"${typed}" is not a method.`, 'api');
  if (!path.startsWith('/')) throw createUsageError(`"${path}" must begin with a slash: /api/jobs.`, 'api');
  if (values.data !== undefined && (method === 'GET' || method === 'HEAD'))
    throw createUsageError(`a ${method} takes no "--data".`, 'api');
  const body = typeof values.data === 'string' ? await readBody(values.data, io) : undefined;
  const response = await call(await findStudio(io.cwd), method, path, body);
  const text = await print(response, io);
  if (response.ok || response.status === 304) return exitCode.ok;
  throw new CommandError(describe(response.status, text));
};

/** The path is added as text: one that begins with two slashes must not become an address elsewhere. */
async function call({ url, token }: StudioFile, method: string, path: string, body: string | undefined) {
  try {
    return await fetch(new URL(url).origin + path, {
      method,
      redirect: 'manual',
      headers: {
        [STUDIO_TOKEN_HEADER]: token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
  } catch (cause) {
    const what = `Studio at ${url} does not answer. Is "svc dev" still running?`;
    throw cause instanceof TypeError && cause.cause === undefined
      ? new CommandError(`The call cannot be made: ${cause.message}`)
      : new ApiError('studio_unreachable', what, { cause });
  }
}

/** As it comes. Gives back the text of an error; of anything else, which may be long, only how it ends. */
async function print(response: Response, { stdout }: Io): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  const write = (part: string) => {
    if (part !== '') stdout.write(part);
    text = response.ok ? part.slice(-1) || text : text + part;
  };
  for await (const bytes of response.body ?? []) write(decoder.decode(bytes, { stream: true }));
  write(decoder.decode());
  if (stdout.isTTY && text !== '' && !text.endsWith('\n')) stdout.write('\n');
  return text;
}

function describe(status: number, text: string): string {
  return `${readEnvelope(parse(text), status)?.message ?? 'The call failed.'} (status ${status})`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
