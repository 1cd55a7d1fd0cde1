// The scope that a call of the cloud API carries in its query: organization and project.
import * as z from 'zod/mini';

const slugText = z.string().check(z.minLength(1));
/** For callers that always send their full scope. */
export const orgQuery = z.strictObject({ orgSlug: slugText, projectSlug: z.optional(slugText) });
export const projectFields = { orgSlug: slugText, projectSlug: slugText };
export const projectQuery = z.strictObject(projectFields);

/** The organization and project of a call. */
export type Scope = z.output<typeof projectQuery>;
