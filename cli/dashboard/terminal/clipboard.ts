// Copying by asking the terminal to do it (OSC 52), which works over ssh. Whether it obeys is its own business.

/** What terminals commonly take, in bytes of base64. */
const LONGEST = 100_000;
/** GNU screen passes on no more at once. */
const SCREEN_CHUNK = 500;

type Env = Readonly<Record<string, string | undefined>>;

/** The sequence that copies a text; null when it is too long. */
export function copySequence(text: string, env: Env = {}): string | null {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  if (encoded.length > LONGEST) return null;
  const sequence = `\u001b]52;c;${encoded}\u0007`;
  return env.STY ? throughScreen(sequence) : sequence;
}

/** GNU screen passes on what is wrapped; tmux takes the sequence itself. */
function throughScreen(sequence: string): string {
  let wrapped = '';
  for (let at = 0; at < sequence.length; at += SCREEN_CHUNK)
    wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
  return wrapped;
}
