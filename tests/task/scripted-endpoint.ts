// An endpoint whose model has a made-up distribution over texts, cut into given tokens: it answers as an engine does, with the
// model's own log probabilities, also where the answer is constrained.

interface Request {
  messages: { role: string; content: string }[];
  structured_outputs?: { choice: string[] };
  logprobs?: boolean;
  top_logprobs?: number;
}

/** A token and how likely the whole text is that it belongs to. */
type Spelling = readonly [tokens: readonly string[], probability: number];

const END = '';

/** `spellings`: how the model writes texts, and how likely each is. They add up to 1. */
export function scriptedEndpoint(spellings: readonly Spelling[]) {
  const requests: Request[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const request = JSON.parse(String(init?.body)) as Request;
    requests.push(request);
    return Response.json(answer(request, spellings));
  };
  return { requests, fetch: fetch as typeof globalThis.fetch };
}

function answer(request: Request, spellings: readonly Spelling[]): object {
  const choices = request.structured_outputs?.choice;
  const written: string[] = [];
  const content: object[] = [];
  for (;;) {
    const next = nextTokens(written, spellings);
    const text = written.join('');
    const mayCome = ([token]: [string, number]) =>
      !choices || choices.some(choice => (token === END ? choice === text : choice.startsWith(text + token)));
    const [best] = [...next].filter(mayCome).sort((a, b) => b[1] - a[1]);
    if (!best || best[0] === END) break;
    const sorted = [...next].sort((a, b) => b[1] - a[1]).slice(0, request.top_logprobs ?? 0);
    content.push({ ...entry(best), top_logprobs: sorted.map(entry) });
    written.push(best[0]);
    // A constrained answer that nothing can follow is over.
    if (
      choices
        ?.filter(choice => choice.startsWith(written.join('')))
        .every(choice => choice === written.join(''))
    )
      break;
  }
  const message = { role: 'assistant', content: written.join('') };
  return {
    choices: [{ index: 0, message, finish_reason: 'stop', logprobs: request.logprobs ? { content } : null }],
  };
}

/** The tokens after others, each with its probability. */
function nextTokens(before: readonly string[], spellings: readonly Spelling[]): Map<string, number> {
  const next = new Map<string, number>();
  for (const [tokens, probability] of spellings)
    if (before.every((token, index) => tokens[index] === token)) {
      const token = tokens[before.length] ?? END;
      next.set(token, (next.get(token) ?? 0) + probability);
    }
  const total = [...next.values()].reduce((sum, one) => sum + one, 0);
  return new Map([...next].map(([token, mass]) => [token, mass / total]));
}

const entry = ([token, probability]: [string, number]) => ({
  token,
  logprob: Math.log(probability),
  bytes: [...new TextEncoder().encode(token)],
});
