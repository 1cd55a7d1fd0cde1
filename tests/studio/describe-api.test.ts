// What a Studio says of its own API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STUDIO_TOKEN_HEADER } from '../../lib/contract/index.js';
import { openStudio, type TestStudio } from './open-studio.js';

let test: TestStudio;
beforeAll(async () => {
  test = await openStudio();
});
afterAll(() => test.close());

it('GET /api/openapi.json names where Studio is, how a caller proves who it is, and what is typed', async () => {
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
