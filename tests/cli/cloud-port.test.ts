// The port of the local cloud while another program has it: where the cloud is then, who says so, and what brings it back.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { localCloud } from './support/local-cloud.js';

describe('a port that another program has', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const place = localCloud();
  const { svc, json } = place;
  const start = (options = '') => svc(`cloud start --base-model ${place.model}${options}`);
  const usualPort = () => Number(place.home.env.SVC_CLOUD_PORT);

  /** Answers like any web server. Returns what frees the port. */
  async function occupy(port: number): Promise<() => Promise<unknown>> {
    const server = createServer((_, response) => void response.writeHead(404).end()).listen(
      port,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const free = async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    };
    onTestFinished(() => void free());
    return free;
  }

  it('is left to it, which every start says, and taken again when it is free, for there are endpoints', async () => {
    const usual = usualPort();
    await start();
    expect(await svc(`endpoints create helpdesk --base-model ${basename(place.model)}`)).toMatchObject({
      exitCode: 0,
    });
    await svc('cloud stop');
    const free = await occupy(usual);

    const { stdout, stderr } = await svc('endpoints list');
    const { port, moved } = await place.home.readFile();
    const url = `http://localhost:${port}`;
    const notice = `Port ${usual}, which this cloud used before, is in use by another program: the cloud is now at ${url}. Programs with the old base URL do not reach it. It returns to port ${usual} at the first start that finds it free.`;
    expect([moved, port === usual]).toEqual([{ from: usual, returns: true }, false]);
    expect(stdout).toContain(`helpdesk.localhost:${port}`);
    expect(stderr).toContain(`Started the local cloud at ${url}. ${notice}`);
    expect((await svc('cloud logs')).stdout).toContain(notice);
    expect((await svc('cloud status')).stdout).toContain(
      `port        ${port}, because another program used port ${usual} when the cloud started.`,
    );
    expect((await json('cloud status')).cloud).toMatchObject({ port, moved });
    const { checks } = (await json('doctor')) as { checks: { name: string; status: string; hint: string }[] };
    expect(checks.find(({ name }) => name === 'cloud-port')).toMatchObject({
      status: 'warning',
      hint: expect.stringContaining(`"svc cloud start --port ${port}"`),
    });

    expect((await start()).stderr).toContain(
      `! It uses port ${port}, because another program used port ${usual}`,
    );
    await svc('cloud stop');
    expect((await start()).stderr).toContain(notice);
    expect((await place.home.readFile()).port).toBe(port);
    await svc('cloud stop');
    await free();
    expect((await start()).stderr).toBe(
      `! Port ${usual} is free again: the cloud is back at http://localhost:${usual}. Programs with port ${port} in their base URL do not reach it anymore.\n`,
    );
    expect((await svc('cloud status')).stdout).not.toContain('port  ');
  });

  it('is forgotten by a cloud that has no endpoints yet', async () => {
    const usual = usualPort();
    await start();
    await svc('cloud stop');
    const free = await occupy(usual);
    const { stderr } = await start();
    const { port } = await place.home.readFile();
    expect(stderr).toContain(`the cloud is now at http://localhost:${port}.`);
    expect(stderr).toContain(`It keeps port ${port}.`);
    await svc('cloud stop');
    await free();
    await start();
    const { port: kept, moved } = await place.home.readFile();
    expect([kept, moved]).toEqual([port, undefined]);
  });

  it('keeps a cloud that remembers it from starting, which says what it remembers', async () => {
    const port = usualPort();
    await start(` --port ${port}`);
    await svc('cloud stop');
    await occupy(port);
    const { exitCode, stderr } = await svc('cloud start');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `Port ${port} is in use. The cloud remembers --port ${port} from an earlier start.`,
    );
    expect(stderr).toContain('cloud start --reset');
    expect((await start(` --port ${port}`)).stderr).toContain('choose another one with --port.');
  });

  it('of the other address family does not hide a cloud', async () => {
    const port = usualPort();
    await occupy(port);
    expect(await start(` --host ::1 --port ${port}`)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`The cloud is running at http://[::1]:${port} `),
    });
  });
});
