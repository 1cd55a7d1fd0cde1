// The routes of deployments at their own addresses. They are not mounted as a table, because a deployment decides which
// of them it offers, its checks run in a different order, and bodies are read as their published formats define it.
import { openAiRoutes } from './openai-routes.js';
import { DEFAULT_OPERATION, OPERATIONS, type Operation } from './operations.js';
import type { RouteTable } from './route.js';
import type { RouteAddress } from './route-address.js';

type UnionOf<T> = T extends unknown ? keyof T : never;

/** A route that deployments may offer, by its name in `openAiRoutes`. */
export type OfferedRoute = UnionOf<(typeof OPERATIONS)[Operation]>;

/** Where `openAiRoutes` has its version, so that `/openai/v1/models` is `/v1/models` at a deployment. */
const PREFIX = /^\/openai(?=\/)/;

/** The routes of these operations at a deployment's own address. */
export function routesOf(operations: readonly Operation[]): Partial<Record<OfferedRoute, RouteAddress>> {
  const names = operations.flatMap(name => Object.keys(OPERATIONS[name]) as OfferedRoute[]);
  return Object.fromEntries(names.map(name => [name, toAddress(openAiRoutes[name])]));
}

function toAddress({ method, path }: RouteAddress): RouteAddress {
  return { method, path: path.replace(PREFIX, '') as RouteAddress['path'] };
}

/** In the OpenAPI document. The first operation has the name from when it was the only one. */
const toName = (route: string) =>
  route === 'completeChat' ? 'createChatCompletion' : `${route}AtDeployment`;

/** All of them, for the OpenAPI document. */
export const edgeRoutes: RouteTable = Object.fromEntries(
  Object.entries(OPERATIONS).flatMap(([operation, routes]) =>
    Object.entries(routes).map(([name, does]) => {
      const route = openAiRoutes[name as OfferedRoute];
      const summary =
        operation === DEFAULT_OPERATION ? does : does.replace(/\.$/, `, if it offers \`${operation}\`.`);
      return [toName(name), { ...route, ...toAddress(route), summary }];
    }),
  ),
);
