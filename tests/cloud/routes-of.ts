// The routes that some handlers of the cloud answer, for an app that has no others.
import { cloudRoutes } from '../../lib/contract/index.js';

export const routesOf = <Name extends keyof typeof cloudRoutes>(handlers: Record<Name, unknown>) =>
  Object.fromEntries(Object.entries(cloudRoutes).filter(([name]) => name in handlers)) as Pick<
    typeof cloudRoutes,
    Name
  >;
