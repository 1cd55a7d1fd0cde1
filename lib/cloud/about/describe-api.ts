// The OpenAPI document of a cloud, including its endpoints, which have their own addresses.
import { cloudRoutes, edgeRoutes, type Json, openAiRoutes, toOpenApi } from '../../contract/index.js';
import type { CloudAddress } from '../deps.js';

export function describeApi(version: string, { url, deploymentDomain }: CloudAddress): Json {
  return toOpenApi(
    { ...cloudRoutes, ...openAiRoutes },
    {
      title: 'svc cloud',
      version,
      server: url,
      security: 'bearer',
      elsewhere: {
        routes: edgeRoutes,
        server: `${new URL(url).protocol}//{slug}.${deploymentDomain}`,
        variables: { slug: 'my-endpoint' },
      },
    },
  );
}
