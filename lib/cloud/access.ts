// Who the caller is, and which organization and project the request is for: the first question of every protected
// route.
import type { IdentityMode, Scope } from '../contract/index.js';

export interface Caller {
  identityId: string;
  mode: IdentityMode;
  /** The anonymous ID, or the identity provider's subject. */
  subject: string;
}

/** A project that the caller is a member of. */
export interface ProjectScope {
  caller: Caller;
  orgId: string;
  projectId: string;
}

export interface Access {
  /** Throws `unauthenticated`. */
  authenticate(request: Request): Promise<Caller>;
  /** Throws `unauthenticated`, or `project_not_found` for a missing or foreign project. */
  authorize(request: Request, scope: Scope): Promise<ProjectScope>;
}
