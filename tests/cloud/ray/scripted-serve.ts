// Ray Serve as a test tells it: the part of a dashboard that keeps applications, and replicas that answer HTTP.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RayError } from '../../../lib/cloud/ray/ray-error.js';
import type { ServeConfig, ServeDetails } from '../../../lib/cloud/ray/ray-responses.js';
import { listening } from '../../support/listening.js';

interface AskedReplica {
  headers: IncomingMessage['headers'];
  body: { kind: string; task: Record<string, unknown> };
}

type Reply = (response: ServerResponse) => void;

export type ScriptedReplicas = Awaited<ReturnType<typeof startReplicas>>;

/** A reply for each request in order; the last one for all others. */
export async function startReplicas(...replies: Reply[]) {
  /** `left`: how many requests were cut by their caller. */
  const replicas = { url: '', asked: [] as AskedReplica[], left: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = { headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) };
    const reply = replies[Math.min(replicas.asked.length, replies.length - 1)]!;
    replicas.asked.push(asked);
    response.on('close', () => {
      if (!response.writableEnded) replicas.left++;
    });
    reply(response);
  });
  replicas.url = await listening(server);
  return replicas;
}

const toBody = (lines: readonly string[]) => `${lines.join('\n')}\n`;

export function lines(...all: string[]): Reply {
  return response => void response.writeHead(200, { 'x-svc-adapter': 'loaded' }).end(toBody(all));
}

/** Begins an answer, and says no more. */
export function silentAfter(...all: string[]): Reply {
  return response => void response.writeHead(200).write(toBody(all));
}

/** As a proxy does when its replica dies. */
export function cutAfter(...all: string[]): Reply {
  return response => void response.writeHead(200).write(toBody(all), () => response.destroy());
}

export function refusing(status: number): Reply {
  return response => void response.writeHead(status).end();
}

export const gone: Reply = response => void response.destroy();

const running = (app: object) => ({ status: 'RUNNING', deployed_app_config: app, deployments: {} });

/** Where applications are put, and those that run there. */
export function scriptedServe(...apps: { name: string }[]) {
  const toDetails = (all: readonly { name: string }[]) =>
    ({ applications: Object.fromEntries(all.map(app => [app.name, running(app)])) }) as ServeDetails;
  const serve = { details: toDetails(apps), puts: [] as ServeConfig[], away: false };
  const client = {
    ensurePackage: async ({ sha256 }: { sha256: string }) => `gcs://_ray_pkg_${sha256}.zip`,
    async readServe() {
      if (serve.away) throw new RayError('away', 'The Ray cluster does not answer.');
      return serve.details;
    },
    async putServe(config: ServeConfig) {
      serve.puts.push(config);
      serve.details = { ...serve.details, ...toDetails(config.applications) };
    },
  };
  return { serve, client };
}
