// A real cloud and a real identity provider on this machine, and a project folder to call them from.
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { CloudDeps } from '../../lib/cloud/deps.js';
import type { CloudCredentials, CredentialsFile, StateFile } from '../../lib/contract/index.js';
import { listen } from '../../lib/http/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { callCli, type RunningCall, startCli } from '../cli/support/terminal.js';
import { openMemoryCloud } from '../cloud/host/memory-cloud.js';
import { openBrowser } from './browser.js';
import { AUDIENCE, CLIENT_ID, startIdentityProvider } from './identity-provider.js';

type Signed = Extract<CloudCredentials, { mode: 'oauth' }>;
export type World = Awaited<ReturnType<typeof openWorld>>;

/** Is closed at the end of the test; `onEnd` is of the test's own context where tests run at the same time. */
export async function openWorld(deps: Partial<CloudDeps> = {}, onEnd = onTestFinished) {
  const provider = await startIdentityProvider();
  const oauth = { issuer: provider.issuer, audience: AUDIENCE, clientId: CLIENT_ID };
  const memory = await openMemoryCloud({ oauth, anonymous: 'open', ...deps });
  /** The requests to the cloud and their queries, in order. */
  const calls: string[] = [];
  const queries: string[] = [];
  const fetch = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    calls.push(`${request.method} ${pathname}`);
    queries.push(search);
    return memory.cloud.fetch(request);
  };
  const { url, close } = await listen({ fetch }, { ports: [0] });
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-sign-in-')));
  onEnd(async () => {
    await close();
    await Promise.all([memory.close(), provider.close()]);
    await rm(root, { recursive: true });
  });
  const [cwd, home] = [join(root, 'shop'), join(root, 'home')];
  await mkdir(cwd);
  const env = { SVC_HOME: home, SVC_CLOUD_URL: url };
  const credentials = join(home, 'credentials.json');
  const statePath = join(cwd, '.svc', 'state.json');
  const readCredentials = async () => JSON.parse(await readFile(credentials, 'utf8')) as CredentialsFile;
  const signed = async () => (await readCredentials()).clouds[url] as Signed;
  const svc = (...argv: string[]) => callCli(argv, { cwd, env });
  /** Starts `svc login` with these options, which waits for the user. */
  const startLogin = (...options: string[]) => startCli(['login', ...options], { cwd, env });
  /** Writes a file in the project folder. */
  const write = async (path: string, content: string) => {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  };
  return {
    ...{ provider, memory, url, host: new URL(url).host, calls, queries },
    ...{ cwd, home, env, credentials, statePath, readCredentials, signed, svc, startLogin, write },
    session: () => openSession({ folder: cwd, env }),
    /** Expects a command to end with this code, and to say this on stderr. */
    async expectFailure(words: string, exitCode: number, said: string) {
      const called = await svc(...words.split(' '));
      expect(called).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(said) });
    },
    /** Forgets the requests so far. */
    forget() {
      for (const noted of [calls, queries, provider.calls, provider.grants]) noted.length = 0;
    },
    /** The requests to the cloud and to the identity provider. */
    asked: () => [...calls, ...provider.calls],
    /** Signs in as this account; the result includes the last page in the browser. */
    async login(account = 'anna') {
      provider.account = account;
      const call = startLogin('--no-browser');
      const page = await openBrowser().open(await addressIn(call));
      return { ...(await call.done), page };
    },
    /** Links the folder to a project of the signed-in user, whose organization is the result. */
    async link() {
      const { orgSlug } = await signed();
      await svc('link', `${orgSlug}/web`);
      return orgSlug!;
    },
    /** Changes the signed-in user's entry in the credentials file. */
    async change(fields: Partial<Signed>) {
      const file = await readCredentials();
      const clouds = { ...file.clouds, [url]: { ...file.clouds[url]!, ...fields } };
      await writeFile(credentials, JSON.stringify({ ...file, clouds }));
    },
    writeState: (state: StateFile) => write('.svc/state.json', JSON.stringify(state)),
    async readState() {
      if (!(await stat(statePath).catch(() => null))) return null;
      return JSON.parse(await readFile(statePath, 'utf8')) as StateFile;
    },
    /** The files in the home folder; none after a failure. */
    inHome: () => readdir(home).catch(() => []),
  };
}

/** The sign-in URL that a call prints, with --json to stderr. */
export async function addressIn(call: RunningCall): Promise<string> {
  await Promise.race([call.shown('code_challenge='), call.done]);
  const address = /^http\S+$/m.exec(call.stdout + call.stderr)?.[0];
  if (!address) throw new Error(`No address was printed:\n${call.stdout}${call.stderr}`);
  return address;
}

/** The device code that a call prints. */
export async function codeIn(call: RunningCall): Promise<string> {
  await call.shown('enter this code: ');
  return /enter this code: (\S+)/.exec(call.stdout)![1]!;
}
