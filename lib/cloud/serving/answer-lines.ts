// One question to an application on Ray Serve, and the lines that come back as they come. Follows no redirects.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export interface LineAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  lines: AsyncGenerator<string>;
  /** Lets go of an answer that is over, so that its connection serves the next request, or cuts it. */
  close(isOver: boolean): void;
}

interface LineRequest {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** Rejects if no answer begins. */
export function askForLines(url: string, { headers, body, signal }: LineRequest): Promise<LineAnswer> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const bytes = Buffer.from(body);
  const all = { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { method: 'POST', headers: all, signal }, incoming =>
      resolve({
        status: incoming.statusCode!,
        headers: incoming.headers,
        lines: readLines(incoming),
        close: isOver => void (isOver ? incoming.resume() : incoming.destroy()),
      }),
    );
    outgoing.on('error', error => reject(signal.aborted ? signal.reason : error));
    outgoing.end(bytes);
  });
}

async function* readLines(incoming: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}
