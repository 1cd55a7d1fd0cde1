// Who is signed in, as one line. Kept out of the index because loading all of it would slow down `svc dev`.
import type { Identity } from '../contract/index.js';

/** `<mode> · <org>[ / <project>][ · <cloud host>]`; unknown parts are left out. */
export function identityLine({ mode, orgSlug, projectSlug, cloudHost }: Identity): string {
  const scope = [orgSlug, projectSlug].filter(Boolean).join(' / ');
  return [mode, scope, cloudHost].filter(Boolean).join(' · ');
}
