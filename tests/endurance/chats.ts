// Chats that go on while processes are killed around them. Each has to end: with an answer, with a refusal that says that
// the engine or the disk is away, or cut off with the process that gave it.
const REFUSALS = [429, 503];

export interface Chats {
  begin(url: string, key: string): void;
  /** How many were begun. */
  readonly begun: number;
  /** Those that have not ended. */
  open(): string[];
  /** Those that ended as none should. */
  readonly wrong: readonly string[];
}

export function createChats(slug: () => string): Chats {
  const open = new Set<string>();
  const wrong: string[] = [];
  let begun = 0;

  async function chat(url: string, key: string, name: string): Promise<void> {
    const response = await fetch(`${url}/d/${slug()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'Hi' }],
        max_tokens: 64,
        stream: true,
      }),
    });
    if (response.status !== 200 && !REFUSALS.includes(response.status))
      wrong.push(`${name} is answered with ${response.status}: ${await response.text()}`);
    else await response.arrayBuffer();
  }

  return {
    begin(url, key) {
      const name = `chat ${++begun}`;
      open.add(name);
      // A cloud that was killed answers nobody.
      void chat(url, key, name)
        .catch(() => {})
        .finally(() => open.delete(name));
    },
    get begun() {
      return begun;
    },
    open: () => [...open],
    wrong,
  };
}
