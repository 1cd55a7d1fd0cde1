// Responses of Ray's dashboard: only the fields that svc reads.
import * as z from 'zod/mini';

export const versionResponse = z.object({ ray_version: z.string() });

const SUBMISSION_STATES = ['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED'] as const;

export const submissionResponse = z.object({
  submission_id: z.nullable(z.string()),
  status: z.enum(SUBMISSION_STATES),
  message: z.optional(z.nullable(z.string())),
  driver_exit_code: z.optional(z.nullable(z.int())),
});

export type Submission = z.output<typeof submissionResponse>;

export const isOver = ({ status }: Submission) => status !== 'PENDING' && status !== 'RUNNING';

const MOST_TEXT = 300;

/** Ray quotes tracebacks and logs; the last line says what happened. Empty if there is none. */
export function lastLine(text: string): string {
  const lines = text.split('\n').map(line => line.trim());
  const last = lines.findLast(line => line.length > 1 && !line.startsWith('<')) ?? '';
  return last.length > MOST_TEXT ? `${last.slice(0, MOST_TEXT)}…` : last;
}

export const submittedResponse = z.object({ submission_id: z.string() });

const rayNode = z.object({
  node_id: z.string(),
  node_ip: z.string(),
  node_name: z.optional(z.nullable(z.string())),
  is_head_node: z._default(z.boolean(), false),
  state: z.string(),
  resources_total: z._default(z.record(z.string(), z.number()), {}),
});

export type RayNode = z.output<typeof rayNode>;

export const nodesResponse = z.object({
  data: z.object({ result: z.object({ result: z.array(rayNode) }) }),
});

const usage = z.record(z.string(), z.tuple([z.number(), z.number()]));

/** By node ID; missing if a program other than Ray's own autoscaler watches the cluster. */
export const usageResponse = z.object({
  data: z.object({
    clusterStatus: z.nullable(
      z.object({
        loadMetricsReport: z.optional(
          z.nullable(z.object({ usageByNode: z.optional(z.nullable(z.record(z.string(), usage))) })),
        ),
      }),
    ),
  }),
});

export type UsageByNode = Record<string, z.output<typeof usage>>;

const config = z.looseObject({ name: z.string(), args: z.optional(z.record(z.string(), z.unknown())) });

const application = z.looseObject({
  status: z.string(),
  message: z.optional(z.nullable(z.string())),
  deployed_app_config: z.optional(z.nullable(config)),
  deployments: z._default(
    z.record(
      z.string(),
      z.looseObject({ replicas: z._default(z.array(z.looseObject({ state: z.string() })), []) }),
    ),
    {},
  ),
});

/** The dashboard's status of Serve. */
export const serveResponse = z.looseObject({
  proxy_location: z.optional(z.nullable(z.string())),
  http_options: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  grpc_options: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  target_capacity: z.optional(z.nullable(z.number())),
  applications: z._default(z.record(z.string(), application), {}),
});

export type ServeDetails = z.output<typeof serveResponse>;
export type AppConfig = z.output<typeof config>;
/** The body of a `PUT` to Serve. */
export type ServeConfig = Record<string, unknown> & { applications: AppConfig[] };
