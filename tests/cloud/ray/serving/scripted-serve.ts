// Ray Serve as a test tells it: the part of a dashboard that keeps applications, and replicas that answer HTTP.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ServeConfig, ServeDetails } from '../../../../lib/cloud/ray/application.js';
import { RayError } from '../../../../lib/cloud/ray/ray-error.js';

export interface AskedReplica {
  headers: IncomingMessage['headers'];
  body: { kind: string; task: Record<string, unknown> };
}

type Reply = (response: ServerResponse, asked: AskedReplica) => void;

export interface ScriptedReplicas {
  url: string;
  asked: AskedReplica[];
  /** How many requests were cut by their caller. */
  left: number;
  /** For each request in order; the last one for all others. */
  replies: Reply[];
}

export async function startReplicas(...replies: Reply[]): Promise<ScriptedReplicas> {
  const replicas: ScriptedReplicas = { url: '', asked: [], left: 0, replies };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
    const reply = replicas.replies[Math.min(replicas.asked.length, replicas.replies.length - 1)]!;
    replicas.asked.push(asked);
    response.on('close', () => {
      if (!response.writableEnded) replicas.left++;
    });
    reply(response, asked);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  replicas.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return replicas;
}

export const lines =
  (...all: string[]): Reply =>
  response => {
    response.writeHead(200, { 'x-svc-adapter': 'loaded' });
    response.end(`${all.join('\n')}\n`);
  };

/** Begins an answer, and says no more. */
export const silentAfter =
  (...all: string[]): Reply =>
  response => {
    response.writeHead(200);
    response.write(`${all.join('\n')}\n`);
  };

/** As a proxy does when its replica dies. */
export const cutAfter =
  (...all: string[]): Reply =>
  response => {
    response.writeHead(200);
    response.write(`${all.join('\n')}\n`, () => response.destroy());
  };

export const refusing =
  (status: number): Reply =>
  response => {
    response.writeHead(status);
    response.end();
  };

export const gone: Reply = response => void response.destroy();

/** Where applications are put. */
export interface ScriptedServe {
  details: ServeDetails;
  puts: ServeConfig[];
  away: boolean;
}

export function scriptedServe(applications: ServeDetails['applications'] = {}) {
  const serve: ScriptedServe = { details: { applications }, puts: [], away: false };
  const client = {
    ensurePackage: async ({ sha256 }: { sha256: string }) => `gcs://_ray_pkg_${sha256}.zip`,
    async readServe() {
      if (serve.away) throw new RayError('away', 'The Ray cluster does not answer.');
      return serve.details;
    },
    async putServe(config: ServeConfig) {
      serve.puts.push(config);
      const deployed = config.applications.map(app => [
        app.name,
        { status: 'RUNNING', deployed_app_config: app, deployments: {} },
      ]);
      serve.details = { ...serve.details, applications: Object.fromEntries(deployed) };
    },
  };
  return { serve, client };
}
