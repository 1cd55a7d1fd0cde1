// The origin of a web page, as browsers send it: `https://app.example.com`, `http://localhost:5173`.
import * as z from 'zod/mini';

/** No name or address is longer. */
const LONGEST = 270;
const SHOWN = 80;

const FORM = /^https?:\/\/(?:[^\s/?#@\\*%:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const RULE =
  'must be an origin without a path, such as `https://app.example.com`, or `http://localhost:5173` on this machine';

const check = z.check<string>(payload => {
  const read = readOrigin(payload.value);
  if (read !== null) payload.value = read;
  else
    payload.issues.push({
      code: 'custom',
      message: `${RULE}, not \`${shorten(payload.value)}\``,
      input: payload.value,
    });
});

/** Parsed into the one form that browsers send: lowercase, without a default port. */
export const origin = z.string().check(check);

function readOrigin(text: string): string | null {
  if (text.length > LONGEST || !FORM.test(text) || !URL.canParse(text)) return null;
  const { origin: read, protocol, hostname } = new URL(text);
  return protocol === 'https:' || LOOPBACK.test(hostname) ? read : null;
}

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
