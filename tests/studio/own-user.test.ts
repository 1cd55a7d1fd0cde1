// Only Studio's own user and root may connect over loopback.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Listening, listen } from '../../lib/http/index.js';
import { createUserGuard } from '../../lib/studio/own-user.js';
import { openStudio, type TestStudio, TOKEN } from './open-studio.js';

const NOBODY = 65_534;
const run = promisify(execFile);

let test: TestStudio;
let listening: Listening;
beforeAll(async () => {
  test = await openStudio();
  await test.write('web/index.html', '<head><meta name="svc-studio-token" content=""></head>');
  listening = await listen(test.studio, { ports: [0] });
});
afterAll(async () => {
  await Promise.all([listening.close(), test.close()]);
});

/** Calls Studio from a separate process, by default as the current user. */
async function callAs(user: number | undefined, host: string, paths: readonly string[]) {
  const program = `
    const at = { hostname: '${host}', port: ${listening.port} };
    const headers = { host: 'localhost', 'x-svc-studio-token': '${TOKEN}' };
    const ask = path => new Promise(resolve => {
      require('node:http').get({ ...at, path, headers }, async answer => {
        let body = '';
        for await (const part of answer) body += part;
        resolve({ status: answer.statusCode, id: answer.headers['x-request-id'], body });
      });
    });
    Promise.all(${JSON.stringify(paths)}.map(ask)).then(all => console.log(JSON.stringify(all)));`;
  const { stdout } = await run(process.execPath, ['-e', program], {
    cwd: '/',
    ...(user !== undefined && { uid: user, gid: user }),
  });
  return JSON.parse(stdout) as { status: number; id?: string; body: string }[];
}

const HOSTS = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

it.each(HOSTS)('the current user gets page and API over %s', async host => {
  const [page, jobs] = await callAs(undefined, host, ['/', '/api/jobs']);
  expect(page!.body).toContain(TOKEN);
  expect(jobs!.status).toBe(200);
});

/** Only root can switch users, and only on Linux can Studio find out who connects. */
const canBeOther = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!canBeOther)('another user of this machine (needs root, and Linux)', () => {
  it.each(HOSTS)('gets neither page nor API over %s, even with the token', async host => {
    const answers = await callAs(NOBODY, host, ['/', '/index.html', '/api/jobs', '/nowhere']);
    expect(answers).toHaveLength(4);
    for (const { status, id, body } of answers) {
      expect([status, JSON.parse(body)]).toMatchObject([403, { error: { code: 'user_not_allowed' } }]);
      expect(id).toBeDefined();
      expect(body).not.toContain(TOKEN);
    }
  });
});

describe('the user check', () => {
  const guarded = async (findUser: () => Promise<number | null>) => {
    const guard = createUserGuard(findUser);
    const app = {
      fetch: (request: Request) =>
        guard(request).then(
          () => new Response('in'),
          error => new Response(error.code, { status: error.status }),
        ),
    };
    return listen(app, { ports: [0] });
  };
  const get = async (port: number, agent: Agent | false = false) => {
    const [answer] = (await once(send({ port, host: '127.0.0.1', agent }).end(), 'response')) as [
      IncomingMessage,
    ];
    return text(answer);
  };

  it.skipIf(!process.getuid)('allows the current user, root and unknown users', async () => {
    const own = process.getuid!();
    let user: number | null = null;
    const { port, close } = await guarded(async () => user);
    for (const allowed of [null, own, 0]) {
      user = allowed;
      expect(await get(port)).toBe('in');
    }
    user = own + 1;
    expect(await get(port)).toBe('user_not_allowed');
    await close();
  });

  it.skipIf(!process.getuid)('runs once per connection', async () => {
    const findUser = vi.fn(async () => process.getuid!());
    const { port, close } = await guarded(findUser);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) await get(port, agent);
    expect(findUser).toHaveBeenCalledTimes(1);
    await get(port);
    expect(findUser).toHaveBeenCalledTimes(2);
    agent.destroy();
    await close();
  });
});
