// Which jobs to list or to ask about. Without schemas, since pages in the browser ask.

/** What a client asks for. */
export interface JobListPage {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many jobs' settings are answered at once. */
export const MOST_JOB_SETTINGS = 500;
