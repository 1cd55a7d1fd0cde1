// Who is signed in, as one line. Apart from the rest of this room, which takes `svc dev` a while to load.
import type { Identity } from '../contract/index.js';

/** `<mode> · <org>[ / <project>][ · <cloud host>]`; unknown parts are left out. */
export function identityLine({ mode, orgSlug, projectSlug, cloudHost }: Identity): string {
  const scope = [orgSlug, projectSlug].filter(Boolean).join(' / ');
  return [mode, scope, cloudHost].filter(Boolean).join(' · ');
}
