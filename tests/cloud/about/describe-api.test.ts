// The OpenAPI document that a cloud serves.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MemoryCloud, openMemoryCloud } from '../serve/memory-cloud.js';

let memory: MemoryCloud;
beforeAll(async () => {
  memory = await openMemoryCloud();
});
afterAll(() => memory.close());

it("GET /v1/openapi.json needs no credentials, names the cloud's URLs and refuses foreign origins", async () => {
  const response = await memory.call('/v1/openapi.json');
  expect(response.status).toBe(200);
  const { servers, paths } = (await response.json()) as { servers: object[]; paths: Record<string, object> };
  expect(servers).toEqual([{ url: 'http://localhost:4100' }]);
  expect(paths['/v1/chat/completions']).toMatchObject({
    servers: [{ url: 'http://{slug}.localhost:4100' }],
    post: { operationId: 'createChatCompletion' },
  });
  const page = await memory.call('/v1/openapi.json', { headers: { origin: 'https://evil.example' } });
  expect(page.status).toBe(403);
});
