// What a client is asked to do: scripts as its own README writes them, with base URL and key changed.

/** Where its packages are, in `packages.ts`. */
export type Environment = 'node' | 'python' | 'python-openai' | 'python-marvin' | 'python-command';

export interface Client {
  /** As the table names it. */
  name: string;
  environment: Environment;
  /** Its scripts are for a shell, and call its program. */
  inShell?: true;
  /** The package whose version the table names. */
  package: string;
  /** Stands at the head of each script. */
  setup: string;
  /**
   * A script for each call, by the call's name in the table. It passes if it ends without an error. It limits the tokens of
   * an answer, since a model need not end by itself.
   */
  calls: Record<string, string>;
  /**
   * As its README begins, at an endpoint: with the base URL and the key of the environment, and the model that it names
   * there.
   */
  firstExample?: string;
  /** Those whose prompts do not fit into the bundled model's context. */
  callsOfLargerModels?: Record<string, string>;
}

/** The name of that call. */
export const FIRST_EXAMPLE = 'its first example';

/** The rows of the table in docs/openai.md. */
export function renderTable(clients: readonly Client[], versionOf: (client: Client) => string): string {
  const rows = clients.map(client => {
    const calls = [
      ...(client.firstExample === undefined ? [] : [FIRST_EXAMPLE]),
      ...Object.keys({ ...client.calls, ...client.callsOfLargerModels }),
    ].join(', ');
    return `| ${client.name} | ${versionOf(client)} | ${calls} |`;
  });
  return ['| client | version | calls |', '|---|---|---|', ...rows].join('\n');
}

const [BEGIN, END] = ['<!-- clients -->', '<!-- /clients -->'];

/** Puts the table between the marks. */
export function withTable(text: string, table: string): string {
  const [before, after] = [text.split(BEGIN)[0]!, text.split(END)[1]];
  if (after === undefined) throw new Error(`docs/openai.md has no ${BEGIN} with ${END} after it.`);
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}
