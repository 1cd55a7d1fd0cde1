// The OpenAPI document that Studio serves.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STUDIO_TOKEN_HEADER } from '../../lib/contract/index.js';
import { openStudio, type TestStudio } from './open-studio.js';

let test: TestStudio;
beforeAll(async () => {
  test = await openStudio();
});
afterAll(() => test.close());

it('GET /api/openapi.json describes the server URL, the token header and the event schema', async () => {
  const { status, body } = await test.json('GET', '/api/openapi.json');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    servers: [{ url: 'http://localhost:4000' }],
    security: [{ caller: [] }],
    components: { securitySchemes: { caller: { type: 'apiKey', in: 'header', name: STUDIO_TOKEN_HEADER } } },
    paths: {
      '/api/jobs/{id}/events': {
        get: {
          responses: {
            200: { content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/JobEvent' } } } },
            204: {},
          },
        },
      },
    },
  });
});
