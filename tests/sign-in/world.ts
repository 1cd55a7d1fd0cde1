// A real cloud and a real identity provider on this machine, and a project folder to call them from.
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CloudDeps } from '../../lib/cloud/index.js';
import type { CloudCredentials, CredentialsFile, StateFile } from '../../lib/contract/index.js';
import { listen } from '../../lib/http/index.js';
import { type Called, callCli, type RunningCall, startCli } from '../cli/support/terminal.js';
import { type MemoryCloud, openMemoryCloud } from '../cloud/serve/memory-cloud.js';
import { openBrowser, type Page } from './browser.js';
import { AUDIENCE, CLIENT_ID, type IdentityProvider, startIdentityProvider } from './identity-provider.js';

export type Signed = Extract<CloudCredentials, { mode: 'oauth' }>;

export interface World {
  provider: IdentityProvider;
  memory: MemoryCloud;
  url: string;
  host: string;
  /** The requests to the cloud, in order. */
  calls: string[];
  /** The queries of those requests. */
  queries: string[];
  cwd: string;
  home: string;
  env: Record<string, string>;
  svc(...argv: string[]): Promise<Called>;
  /** Signs in as this account; the result includes the last page in the browser. */
  login(account?: string): Promise<Called & { page: Page }>;
  readCredentials(): Promise<CredentialsFile>;
  signed(): Promise<Signed>;
  /** Changes the signed-in user's entry in the credentials file. */
  change(fields: Partial<Signed>): Promise<void>;
  readState(): Promise<StateFile | null>;
  /** Writes a file in the project folder. */
  write(path: string, content: string): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld(deps: Partial<CloudDeps> = {}): Promise<World> {
  const provider = await startIdentityProvider();
  const oauth = { issuer: provider.issuer, audience: AUDIENCE, clientId: CLIENT_ID };
  const memory = await openMemoryCloud({ oauth, anonymous: 'open', ...deps });
  const calls: string[] = [];
  const queries: string[] = [];
  const listening = await listen(
    {
      fetch: (request: Request) => {
        const { pathname, search } = new URL(request.url);
        calls.push(`${request.method} ${pathname}`);
        queries.push(search);
        return memory.cloud.fetch(request);
      },
    },
    { ports: [0] },
  );
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-sign-in-')));
  const [cwd, home] = [join(root, 'shop'), join(root, 'home')];
  await mkdir(cwd);
  const env = { SVC_HOME: home, SVC_CLOUD_URL: listening.url };
  const credentials = join(home, 'credentials.json');
  const readCredentials = async () => JSON.parse(await readFile(credentials, 'utf8')) as CredentialsFile;
  const signed = async () => (await readCredentials()).clouds[listening.url] as Signed;

  return {
    provider,
    memory,
    url: listening.url,
    host: new URL(listening.url).host,
    calls,
    queries,
    cwd,
    home,
    env,
    readCredentials,
    signed,
    svc: (...argv) => callCli(argv, { cwd, env }),
    async login(account = 'anna') {
      provider.account = account;
      const call = startCli(['login', '--no-browser'], { cwd, env });
      const page = await openBrowser().open(await addressIn(call));
      return { ...(await call.done), page };
    },
    async change(fields) {
      const file = await readCredentials();
      const entry = { ...file.clouds[listening.url]!, ...fields };
      await writeFile(
        credentials,
        JSON.stringify({ ...file, clouds: { ...file.clouds, [listening.url]: entry } }),
      );
    },
    async readState() {
      const path = join(cwd, '.svc', 'state.json');
      if (!(await stat(path).catch(() => null))) return null;
      return JSON.parse(await readFile(path, 'utf8')) as StateFile;
    },
    async write(path, content) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), content);
    },
    async close() {
      await listening.close();
      await Promise.all([memory.close(), provider.close()]);
      await rm(root, { recursive: true });
    },
  };
}

/** The sign-in URL that a call prints. */
export async function addressIn(call: RunningCall): Promise<string> {
  await Promise.race([call.shown('code_challenge='), call.done]);
  const address = /^http\S+$/m.exec(call.stdout + call.stderr)?.[0];
  if (!address) throw new Error(`No address was printed:\n${call.stdout}${call.stderr}`);
  return address;
}
