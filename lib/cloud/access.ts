// Who calls, and in which organization and project: what every route that belongs to somebody asks first.
import type { IdentityMode, Scope } from '../contract/index.js';

export interface Caller {
  identityId: string;
  mode: IdentityMode;
  /** The anonymous id, or the subject that the identity provider names. */
  subject: string;
}

/** A project that the caller is in. */
export interface ProjectScope {
  caller: Caller;
  orgId: string;
  projectId: string;
}

export interface Access {
  /** Throws `unauthenticated`. */
  identify(request: Request): Promise<Caller>;
  /** Throws `unauthenticated`, or `project_not_found` for a project that is not there or not theirs. */
  authorize(request: Request, scope: Scope): Promise<ProjectScope>;
}
