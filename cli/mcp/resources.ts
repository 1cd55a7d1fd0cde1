// The jobs of a project as resources of an agent: what they are, their events, and a picture of how they learn.
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { drawCurve, NO_CURVE } from './curve-picture.js';
import { type Place, readDocument, readEvents } from './run-svc.js';

const MOST_EVENTS = 500;
const MOST_LISTED = 20;

export function addResources(server: McpServer, place: Place): void {
  const JSON_TYPE = 'application/json';
  server.registerResource(
    'jobs',
    'svc://jobs',
    { title: 'Jobs', description: 'The training jobs of the project, newest first', mimeType: JSON_TYPE },
    async ({ href: uri }, { mcpReq: { signal } }) => {
      const text = JSON.stringify(await readDocument(['jobs', 'list'], place, { signal }));
      return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
    },
  );

  interface JobResource {
    name: string;
    suffix: string;
    title: string;
    mimeType: string;
    content(id: string, signal: AbortSignal): Promise<{ text: string } | { blob: string }>;
  }
  const kinds: JobResource[] = [
    {
      ...{ name: 'job', suffix: '', title: 'Job', mimeType: JSON_TYPE },
      content: async (id, signal) => ({
        text: JSON.stringify(await readDocument(['jobs', 'show', '--', id], place, { signal })),
      }),
    },
    {
      ...{ name: 'log', suffix: '/log', title: 'Events of the job', mimeType: 'application/x-ndjson' },
      content: async (id, signal) => {
        const events = (await readEvents(place, id, signal)).slice(-MOST_EVENTS);
        return { text: events.map(event => `${JSON.stringify(event)}\n`).join('') };
      },
    },
    {
      ...{
        name: 'losses',
        suffix: '/losses.png',
        title: 'Losses or rewards of the job',
        mimeType: 'image/png',
      },
      content: async (id, signal) => {
        const picture = drawCurve(await readEvents(place, id, signal));
        if (!picture) throw new Error(NO_CURVE);
        return { blob: picture.toString('base64') };
      },
    },
  ];
  for (const { name, suffix, title, mimeType, content } of kinds) {
    const template = new ResourceTemplate(`svc://jobs/{id}${suffix}`, {
      async list({ mcpReq: { signal } }) {
        const { jobs } = (await readDocument(['jobs', 'list'], place, { signal })) as {
          jobs: { id: string; name: string }[];
        };
        const resources = jobs.slice(0, MOST_LISTED).map(job => ({
          ...{ uri: `svc://jobs/${job.id}${suffix}`, mimeType },
          name: `${title}: ${job.name}`,
        }));
        return { resources };
      },
    });
    server.registerResource(
      name,
      template,
      { title, mimeType },
      async (uri, { id }, { mcpReq: { signal } }) => ({
        contents: [{ uri: uri.href, mimeType, ...(await content(String(id), signal)) }],
      }),
    );
  }
}
