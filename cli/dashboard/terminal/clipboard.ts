// Copies by asking the terminal to do it (OSC 52), which also works over SSH. Whether it worked cannot be known.

/** What terminals commonly accept, in bytes of base64. */
const LONGEST = 100_000;
/** The most that GNU screen passes on at once. */
const SCREEN_CHUNK = 500;

type Env = Readonly<Record<string, string | undefined>>;

/** The sequence that copies a text; null if it is too long. */
export function copySequence(text: string, env: Env = {}): string | null {
  const encoded = Buffer.from(text, 'utf8').toString('base64');
  if (encoded.length > LONGEST) return null;
  const sequence = `\u001b]52;c;${encoded}\u0007`;
  return env.STY ? throughScreen(sequence) : sequence;
}

/** GNU screen passes on only wrapped sequences; tmux handles the sequence itself. */
function throughScreen(sequence: string): string {
  let wrapped = '';
  for (let at = 0; at < sequence.length; at += SCREEN_CHUNK)
    wrapped += `\u001bP${sequence.slice(at, at + SCREEN_CHUNK)}\u001b\\`;
  return wrapped;
}
