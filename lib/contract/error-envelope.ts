// The schema of the error envelope, for OpenAPI documents and tests.
import * as z from 'zod/mini';

export const errorEnvelope = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    code: z.string(),
    param: z.nullable(z.string()),
  }),
});
